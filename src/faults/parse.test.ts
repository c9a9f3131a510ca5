// What is a fault and what is not: each refusal names the member.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFault } from './parse.ts';

const words = { operations: ['listCalls', 'createCall'], events: ['call.ringing', 'call.hangup'] };
const problems = (input: unknown): readonly string[] => {
  const parsed = parseFault(input, words);
  return parsed.ok ? [] : parsed.failure.details;
};

describe('a fault is read', () => {
  it.each([
    { match: { at: 'api' }, action: { do: 'status', status: 503 }, times: 2 },
    { match: { at: 'api', operation: 'listCalls', method: 'GET' }, action: { do: 'delay', ms: 2000 } },
    { match: { at: 'api' }, action: { do: 'field', pointer: '/data/0/id', value: null }, after: 1, probability: 0.5 },
    { match: { at: 'api' }, action: { do: 'field', pointer: '/total' }, ttl: '15m' },
    { match: { at: 'api' }, action: { do: 'truncate' } },
    { match: { at: 'api' }, action: { do: 'reset' } },
    { match: { at: 'webhook', event: 'call.hangup' }, action: { do: 'reorder' } },
    { match: { at: 'webhook' }, action: { do: 'reorder', ms: 100 }, ttl: 60_000 },
    { match: { at: 'sip', method: 'INVITE', direction: 'in' }, action: { do: 'garble' } },
    { match: { at: 'sip' }, action: { do: 'drop' }, probability: 1 },
  ])('%j', (input) => expect(parseFault(input, words)).toEqual({ ok: true, value: input }));
});

describe('a fault is refused with the member that is wrong', () => {
  const api = { at: 'api' };
  const reset = { do: 'reset' };
  it.each([
    [17, 'fault: expected an object'],
    [{ action: reset }, 'match: missing, expected an object'],
    [{ match: api }, 'action: missing, expected an object'],
    [{ match: {}, action: reset }, 'match.at: missing, expected one of api, webhook, sip'],
    [{ match: { at: 'rtp' }, action: reset }, 'match.at: expected one of api, webhook, sip'],
    [
      { match: { at: 'api', user: 1 }, action: reset },
      'match.user: unknown, expected one of at, operation, event, method, direction',
    ],
    [
      { match: { at: 'api', operation: 'listCals' }, action: reset },
      'match.operation: expected an operation id of the specification',
    ],
    [
      { match: { at: 'api', event: 'call.hangup' }, action: reset },
      'match.event: does not go with at api, which takes operation and method',
    ],
    [
      { match: { at: 'api', method: 'PUT' }, action: reset },
      'match.method: expected one of GET, HEAD, POST, PATCH, DELETE',
    ],
    [
      { match: { at: 'webhook', direction: 'in' }, action: { do: 'drop' } },
      'match.direction: does not go with at webhook, which takes event',
    ],
    [
      { match: { at: 'webhook', event: 'ended' }, action: { do: 'drop' } },
      'match.event: expected one of call.ringing, call.hangup',
    ],
    [{ match: { at: 'sip', direction: 'up' }, action: { do: 'drop' } }, 'match.direction: expected one of in, out'],
    [{ match: api, action: { do: 'drop' } }, 'action.do: expected one of status, delay, reset, truncate, field at api'],
    [
      { match: { at: 'sip' }, action: { do: 'status', status: 500 } },
      'action.do: expected one of drop, duplicate, delay, reorder, garble at sip',
    ],
    [{ match: api, action: {} }, 'action.do: missing, expected one of status, delay, reset, truncate, field at api'],
    [{ match: api, action: { do: 'status' } }, 'action.status: missing, do status needs it'],
    [{ match: api, action: { do: 'status', status: 200 } }, 'action.status: expected an error status from 400 to 599'],
    [{ match: api, action: { do: 'delay' } }, 'action.ms: missing, do delay needs it'],
    [{ match: api, action: { do: 'delay', ms: '2s' } }, 'action.ms: expected whole milliseconds from 0 to 86400000'],
    [{ match: api, action: { do: 'reset', ms: 1 } }, 'action.ms: does not go with do reset'],
    [
      { match: api, action: { do: 'field', pointer: 'id', value: 1 } },
      'action.pointer: expected a JSON pointer such as /data/0/id, up to 1024 characters',
    ],
    [{ match: api, action: { do: 'field', pointer: '' } }, 'action.value: missing, the whole body needs one'],
    [
      { match: api, action: { do: 'reset', after: 2 } },
      'action.after: unknown, expected one of do, status, ms, pointer, value',
    ],
    [{ match: api, action: reset, times: 0 }, 'times: expected an integer from 1 to 1000000000'],
    [{ match: api, action: reset, after: -1 }, 'after: expected an integer from 0 to 1000000000'],
    [{ match: api, action: reset, probability: 1.5 }, 'probability: expected a number above 0 and up to 1'],
    [
      { match: api, action: reset, ttl: 'soon' },
      'ttl: expected milliseconds or a duration such as 15m, above 0 and up to 365d',
    ],
    [
      { match: api, action: reset, count: 1 },
      'count: unknown, expected one of match, action, times, after, probability, ttl',
    ],
  ])('%j', (input, problem) => expect(problems(input)).toEqual([problem]));

  it('naming every one', () => {
    expect(problems({ match: { at: 'sip', event: 'x' }, action: { do: 'delay' }, times: 'two' })).toEqual([
      'match.event: does not go with at sip, which takes method and direction',
      'action.ms: missing, do delay needs it',
      'times: expected an integer from 1 to 1000000000',
    ]);
  });

  it('and never throws, whatever comes', () => {
    const at = fc.constantFrom<unknown>('api', 'webhook', 'sip', 1, null);
    const half = fc.record({
      match: fc.record({ at, method: fc.anything() }),
      action: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), half), (input) => typeof parseFault(input, words).ok === 'boolean'));
  });
});
