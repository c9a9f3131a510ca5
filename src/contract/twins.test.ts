// Codes and twins read as stories: what is written, what is read. Knows no request.

import { describe, expect, it } from 'vitest';
import { callStateCodes, codeOf, codeTables, eventContextOf, isWord, wordOf } from './codes.ts';
import type { ResourceRow } from './resource.ts';
import { resources } from './resources.ts';
import { toRead, toWritten, twinOf, twins } from './twins.ts';

const read = (resource: Parameters<typeof twinOf>[0], field: string, value: unknown) => {
  const twin = twinOf(resource, field);
  return twin === undefined ? expect.fail(`${resource}.${field} has one form`) : [twin.read, toRead(twin, value)];
};
const written = (resource: Parameters<typeof twinOf>[0], field: string, value: unknown) => {
  const twin = twinOf(resource, field);
  return twin === undefined ? expect.fail(`${resource}.${field} has one form`) : [twin.written, toWritten(twin, value)];
};

const membersOf = (schema: object) => ('properties' in schema ? (schema.properties as object) : {});

describe('code tables', () => {
  it('number the call states as they are published', () => {
    expect(callStateCodes.codes).toEqual({
      INITIAL: 1,
      ACCEPTED: 2,
      RINGING: 3,
      CONNECTED: 4,
      ON_HOLD: 5,
      HANGUP: 6,
      FAILED: 7,
    });
    expect(codeOf(callStateCodes, 'ON_HOLD')).toBe(5);
    expect(wordOf(callStateCodes, 6)).toBe('HANGUP');
    expect(wordOf(callStateCodes, 0)).toBeUndefined();
    expect(isWord(callStateCodes, 'RINGING')).toBe(true);
    expect(isWord(callStateCodes, 'toString')).toBe(false);
  });

  it('have one number per word and one word per number', () => {
    for (const table of codeTables) {
      for (const word of table.words) expect(wordOf(table, codeOf(table, word)), table.id).toBe(word);
      expect(table.byCode.size, table.id).toBe(table.words.length);
    }
    expect(new Set(codeTables.map(({ id }) => id)).size).toBe(codeTables.length);
  });

  it('give events their own word for a context', () => {
    expect(eventContextOf('USER_LOCAL')).toBe('LOCAL_USER');
    expect(eventContextOf('PSTN_CALL')).toBe('LOCAL_USER');
    expect(eventContextOf('QUEUE')).toBe('QUEUE');
  });
});

describe('twins', () => {
  it('read what was written, under the read name', () => {
    expect(read('queues', 'moh_id', 7)).toEqual(['moh', 7]);
    expect(read('queues', 'ring_strategy', 'ring_all')).toEqual(['ring_strategy', 1]);
    expect(read('contacts', 'type', 'lead')).toEqual(['type', 2]);
    expect(read('routingrules', 'source', ['+15550100', 12])).toEqual(['source', '+15550100,12']);
    expect(read('users', 'location_id', 4)).toEqual(['location_id', '4']);
    expect(read('cdrs', 'type', 1)).toEqual(['type', 'O']);
    expect(read('cdrs', 'disposition', 8)).toEqual(['disposition', 'VM']);
    expect(read('users', 'two_factor_auth', 1)).toEqual(['two_factor_auth', 'E']);
    expect(read('users', 'roles', 'admin,agent')).toEqual(['roles', ['admin', 'agent']]);
    expect(read('calls', 'monitor_state', 'pause')).toEqual(['monitor_state', 2]);
    expect(read('cannedresponses', 'text', 'Thanks')).toEqual(['message', 'Thanks']);
    expect(read('callmebacksettings', 'ddi_e164', '+442079460001')).toEqual(['ddi', 442079460001]);
    expect(read('reportschedules', 'frequency', { type: 'daily' })).toEqual(['frequency', '{"type":"daily"}']);
    expect(read('events', 'context', 'LOCAL_USER')).toEqual(['context', 'USER_LOCAL']);
  });

  it('read the digits of a code as the code', () => {
    expect(read('contacts', 'type', '2')).toEqual(['type', 2]);
    expect(read('cdrs', 'type', '1')).toEqual(['type', 'O']);
    expect(read('contacts', 'type', '02')).toEqual(['type', '02']);
    expect(read('contacts', 'type', '4')).toEqual(['type', '4']);
  });

  it('leave the read form and nonsense as they are', () => {
    expect(read('queues', 'ring_strategy', 1)).toEqual(['ring_strategy', 1]);
    expect(read('queues', 'ring_strategy', 'loudest')).toEqual(['ring_strategy', 'loudest']);
    expect(read('cdrs', 'type', 'O')).toEqual(['type', 'O']);
    expect(read('cdrs', 'type', null)).toEqual(['type', null]);
    expect(read('calls', 'state', 'constructor')).toEqual(['state', 'constructor']);
  });

  it('go back to the written form', () => {
    expect(written('queues', 'moh', 7)).toEqual(['moh_id', 7]);
    expect(written('queues', 'ring_strategy', 1)).toEqual(['ring_strategy', 'ring_all']);
    expect(written('cdrs', 'type', 'M')).toEqual(['type', 2]);
    expect(written('routingrules', 'source', 'a,b')).toEqual(['source', ['a', 'b']]);
    expect(written('reportschedules', 'frequency', '{"type":"daily"}')).toEqual(['frequency', { type: 'daily' }]);
    expect(written('reportschedules', 'frequency', '{')).toEqual(['frequency', '{']);
    expect(written('events', 'context', 'USER_LOCAL')).toEqual(['context', 'LOCAL_USER']);
  });

  it('are taken by request bodies under either name', () => {
    for (const { resource, written: name, read: readName } of twins) {
      const row: ResourceRow | undefined = resource === 'events' ? undefined : resources[resource];
      const members = row?.writable === undefined ? {} : membersOf(row.writable);
      if (!Object.hasOwn(members, name)) continue;
      expect(Object.keys(members), `${resource}.${name}`).toContain(readName);
    }
    expect(Object.keys(membersOf(resources.cannedresponses.writable ?? {}))).toEqual([
      'name',
      'from',
      'text',
      'message',
    ]);
  });

  it('name fields that their resources have', () => {
    for (const { resource, read: field } of twins) {
      if (resource !== 'events') expect(resources[resource].schema.properties, resource).toHaveProperty([field]);
    }
    expect(twinOf('cdrs', 'src')).toBeUndefined();
  });
});
