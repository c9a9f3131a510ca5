// A simulator that keeps its state in a file, and what it takes to let it die and come back. For tests in one process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { expect } from 'vitest';
import { Simulator, type SimulatorOptions } from '../simulator.ts';
import { SqliteFile } from '../wires/sqlite-file.ts';

export type Json = Readonly<Record<string, unknown>>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export class KeptStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'pbxsim-kept-'));
  readonly path = join(this.folder, 'world.db');
  troubles: Error[] = [];
  simulator!: Simulator;
  file!: SqliteFile;

  constructor(options: SimulatorOptions = {}) {
    this.start(options);
  }

  /** What is in the file goes on, on the clock of `options`. */
  start(options: SimulatorOptions = {}): void {
    this.file = SqliteFile.open(this.path);
    this.simulator = new Simulator({
      ...{ seed: 11, clock: 'manual', allowHttpWebhooks: true },
      ...options,
      data: this.file,
      onDataTrouble: (error) => this.troubles.push(error),
    });
  }

  /** As kill -9 does it: what was not written by now is not, and nobody says goodbye. */
  async die(): Promise<void> {
    this.file.close();
    await this.simulator.close();
  }

  async dieAndComeBack(options: SimulatorOptions = {}): Promise<void> {
    await this.die();
    this.start(options);
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.folder, { recursive: true });
  }

  /** The first account's root. */
  get root() {
    const user = this.simulator.world.customers[0]?.users[0];
    if (user === undefined) throw new Error('there is no first user');
    return user;
  }

  /** Asks the API as root, or with these credentials. */
  async api(method: Method, path: string, body?: object, as?: readonly [number, string]) {
    const [id, secret] = as ?? [this.root.user_id, this.root.api_key ?? ''];
    const asked = request(this.simulator.handler)[method](`/v1.1/pbx${path}`).auth(String(id), secret);
    return body === undefined ? asked : asked.send(body);
  }

  async get(path: string): Promise<Json & { readonly data: Json[] }> {
    const response = await this.api('get', path);
    expect(response.status, `${path}: ${response.text}`).toBe(200);
    return response.body;
  }

  async sim(method: Method, path: string, body?: object) {
    const asked = request(this.simulator.handler)[method](`/_sim${path}`);
    const response = await (body === undefined ? asked : asked.send(body));
    expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
    return response.body;
  }

  advance(by: string) {
    return this.sim('post', '/clock', { advance: by });
  }
}
