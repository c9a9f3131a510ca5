// A story over HTTP, for tests: requests of the people of a stage, and refusals that must change nothing. Knows no test.
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { expect } from 'vitest';
import { type ResourceId, resources } from '../contract/resources.ts';
import { stateOf } from '../store/store.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

type Who = keyof Stage['people'];
type Method = 'get' | 'post' | 'patch' | 'delete';

const ajv = new Ajv2020({ strict: false });

export class Story {
  readonly stage = createStage();

  get(path: string, who?: Who) {
    return this.#ask('get', path, undefined, who);
  }

  post(path: string, body: object, who?: Who) {
    return this.#ask('post', path, body, who);
  }

  patch(path: string, body: object, who?: Who) {
    return this.#ask('patch', path, body, who);
  }

  delete(path: string, who?: Who) {
    return this.#ask('delete', path, undefined, who);
  }

  /** The records of a collection, with these query parameters. */
  async list(path: string, query: Readonly<Record<string, unknown>> = {}): Promise<Array<Record<string, unknown>>> {
    const texts = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { body } = await this.get(`${path}?${new URLSearchParams(texts)}`).expect(200);
    return body.data;
  }

  /** The request answers with that status and those errors, and nothing is different afterwards. */
  async refused(
    [method, path, body]: readonly [method: Method, path: string, body?: object],
    status: number,
    errors?: readonly unknown[],
    who?: Who,
  ): Promise<void> {
    const before = this.#everything();
    const answer = await this.#ask(method, path, body, who);
    expect([answer.status, answer.body.errors]).toEqual([status, errors ?? answer.body.errors]);
    expect(Object.keys(answer.body)).toEqual(['message', 'errors']);
    expect(this.#everything()).toBe(before);
  }

  /** The record has the published members of its resource, in their types, and no others. */
  fits(resource: ResourceId, record: object): void {
    const { schema } = resources[resource];
    expect(ajv.validate(schema, record), ajv.errorsText()).toBe(true);
    expect(Object.keys(record).sort()).toEqual(Object.keys(schema.properties).sort());
  }

  #ask(method: Method, path: string, body: object | undefined, who: Who = 'admin') {
    const { api, people } = this.stage;
    const call = request(api)[method](`/v1.1/pbx${path}`).set('Authorization', keyOf(people[who]));
    return body === undefined ? call : call.send(body);
  }

  #everything(): string {
    const collections = Object.entries(stateOf(this.stage.store));
    return JSON.stringify(collections.map(([name, { rows, ids }]) => [name, [...rows], ids]));
  }
}
