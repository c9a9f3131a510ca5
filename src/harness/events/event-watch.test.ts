// What the watch says of deliveries: real stories pass, and each rule has a delivery that breaks it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categories, type WebhookCategory } from '../../contract/events.ts';
import { type EventBody, EventWatch, type Heard, type WatchOptions } from './event-watch.ts';

const START = Date.UTC(2026, 0, 1, 12, 0, 0);
const ALL: readonly WebhookCategory[] = ['call_state_change', 'sms_received', 'dtmf'];
let ids = 0;

function watch(options: Partial<WatchOptions> = {}): EventWatch {
  return new EventWatch({ categories: ALL, lateMs: 10_000, sinceMs: START, foreignTest: false, ...options });
}

const STATES: Readonly<Record<string, string>> = {
  'call.initial': 'INITIAL',
  'call.ringing': 'RINGING',
  'call.missed': 'FAILED',
  'call.connected': 'CONNECTED',
  'call.failed': 'FAILED',
  'call.hangup': 'HANGUP',
  'call.hold': 'ON_HOLD',
  'call.unhold': 'CONNECTED',
  'call.dtmf': 'CONNECTED',
};

function event(name: string, members: EventBody = {}): EventBody {
  ids += 1;
  const answered = ['call.connected', 'call.hold', 'call.unhold', 'call.hangup', 'call.dtmf'].includes(name);
  return {
    id: `event-${ids}`,
    event_time: '2026-01-01 12:00:00',
    event_name: name,
    call_id: 10000001,
    state: STATES[name],
    connected_at: answered ? '2026-01-01 12:00:00' : null,
    start_time: '2026-01-01 12:00:00',
    context: 'LOCAL_USER',
    destination: 'in',
    duration: 0,
    t_cause: '',
    clid: '',
    src: '+442079469999',
    src_id: 0,
    src_name: '',
    src_hash: 'abc',
    dst: '101',
    dst_id: 10000001,
    dst_name: 'Ada',
    info: '',
    terminated_by: '',
    ...(name === 'call.dtmf' ? { digit: '5', pressed_by: 'caller' } : {}),
    ...members,
  };
}

function hear(watched: EventWatch, body: unknown, nowMs: number | undefined = START): Heard {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return watched.take({ contentType: 'application/json', text, bytes: text.length, nowMs });
}

/** Rule and words of all that is wrong with these events, one after the other. */
function wrongs(bodies: readonly unknown[], options: Partial<WatchOptions> = {}): string[] {
  const watched = watch(options);
  return bodies.flatMap((body) => hear(watched, body).violations.map(({ rule, message }) => `${rule}: ${message}`));
}

const story = (...names: readonly string[]): EventBody[] => names.map((name) => event(name));

describe('what is right', () => {
  it.each([
    [['call.initial', 'call.ringing', 'call.connected', 'call.hangup']],
    [['call.initial', 'call.connected', 'call.dtmf', 'call.hangup']],
    [['call.initial', 'call.ringing', 'call.missed']],
    [['call.initial', 'call.ringing', 'call.failed']],
    [['call.missed']],
    [['call.failed']],
    [['call.initial', 'call.connected', 'call.hold', 'call.dtmf', 'call.unhold', 'call.hold', 'call.hangup']],
  ])('%j', (names) => {
    expect(wrongs(story(...names))).toEqual([]);
  });

  it('the end of a call that another member of the group answered', () => {
    const taken = event('call.hangup', { connected_at: null });
    expect(wrongs([...story('call.initial', 'call.ringing'), taken])).toEqual([]);
    expect(wrongs([...story('call.initial'), taken])).toEqual([]);
    expect(wrongs([taken], { categories: ['ended'] })).toEqual([]);
  });

  it('other calls between', () => {
    const [one, two, three] = story('call.initial', 'call.ringing', 'call.missed');
    const other = ['call.initial', 'call.connected'].map((name) => event(name, { call_id: 10000002 }));
    expect(wrongs([one, other[0], two, other[1], three])).toEqual([]);
  });

  it('a call that was there before', () => {
    const start = { start_time: '2026-01-01 11:59:59' };
    expect(wrongs([event('call.hold', start), event('call.unhold', start), event('call.hangup', start)])).toEqual([]);
  });

  it('what the categories leave out', () => {
    expect(wrongs(story('call.hangup'), { categories: ['ended'] })).toEqual([]);
    expect(wrongs(story('call.connected', 'call.hangup'), { categories: ['connected', 'ended'] })).toEqual([]);
    expect(wrongs(story('call.ringing', 'call.dtmf'), { categories: ['ringing', 'dtmf'] })).toEqual([]);
  });

  it('what the contract leaves open', () => {
    const { terminated_by, src_id, ...rest } = event('call.initial', { dst_id: null, t_cause: null });
    expect([terminated_by, src_id]).toEqual(['', 0]);
    expect(wrongs([rest, event('call.missed', { state: 'HANGUP' })])).toEqual([]);
    expect(wrongs([{ event_name: 'call.dtmf', key: 5 }])).toEqual([]);
  });

  it('tests of the URL', () => {
    expect(hear(watch(), { event_name: 'webhook.test', anything: 1 })).toMatchObject({ isTest: true, violations: [] });
    const foreign = watch({ foreignTest: true });
    expect(hear(foreign, 'ping')).toMatchObject({ isTest: true, violations: [] });
    expect(hear(foreign, 'ping')).toMatchObject({ isTest: false, violations: [{ rule: 'schema' }] });
  });

  it('an SMS', () => {
    const sms = { customer_id: 1, user_id: null, from_no: 'ACME', to_no: '+442079460101', text: 'Hello' };
    const members = { id: 'sms-1', event_time: '2026-01-01 12:00:00', event_name: 'sms.received' };
    expect(wrongs([{ ...members, ...sms }])).toEqual([]);
  });
});

describe('the schema', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', 'state=RINGING', 'schema: expected a JSON object'],
    ['a list', [event('call.initial')], 'schema: expected a JSON object'],
    [
      'an unknown event',
      event('call.bridged'),
      'schema: /event_name: expected one of call.initial, call.ringing, call.missed, call.connected, call.failed, call.hangup, call.hold, call.unhold, sms.received, call.dtmf',
    ],
    ['a wrong type', event('call.initial', { duration: '0' }), 'schema: /duration: expected seconds, found "0"'],
    ['a wrong time', event('call.initial', { start_time: 'soon' }), 'schema: /start_time: '],
    [
      'an unknown word',
      event('call.initial', { destination: 'up' }),
      'schema: /destination: expected one of in, out, found "up"',
    ],
  ])('%s', (_, body, expected) => {
    expect(wrongs([body]).map((one) => one.slice(0, expected.length))).toContain(expected);
  });

  it('a missing member, and nothing else', () => {
    const { clid, ...rest } = event('call.initial');
    expect([clid, wrongs([rest])]).toEqual(['', ['schema: /: expected a member clid: string']]);
  });

  it('another Content-Type, and a body that is too long', () => {
    const text = JSON.stringify(event('call.initial'));
    const form = watch().take({ contentType: 'text/plain', text, bytes: text.length, nowMs: START });
    expect(form.violations).toEqual([
      { rule: 'schema', message: 'expected Content-Type application/json, found text/plain' },
    ]);
    const long = watch().take({ contentType: 'application/json', text: undefined, bytes: 2_000_000, nowMs: START });
    expect(long.violations).toEqual([
      { rule: 'schema', message: 'a body of 2000000 bytes, which is too long to be read' },
    ]);
  });
});

describe('the state', () => {
  it('is that of the event', () => {
    expect(wrongs([event('call.initial', { state: 'RINGING' })])).toEqual([
      'state: call.initial with state RINGING, expected INITIAL',
    ]);
  });

  it('has a time of connection from the answer on', () => {
    expect(wrongs([event('call.initial', { connected_at: '2026-01-01 12:00:00' })])).toEqual([
      'state: call.initial with connected_at 2026-01-01 12:00:00, expected null before an answer',
    ]);
    expect(wrongs([...story('call.initial'), event('call.connected', { connected_at: null })])).toEqual([
      'state: call.connected with connected_at null, expected a time once it was answered',
    ]);
  });
});

describe('repetition', () => {
  it('is seen by the id, and judged no further', () => {
    const [initial, ringing] = story('call.initial', 'call.ringing');
    expect(wrongs([initial, ringing, initial])).toEqual([`duplicate: event ${String(initial?.id)} came before`]);
  });

  it('of an id for something else is seen, too', () => {
    const initial = event('call.initial', { id: 'same' });
    expect(wrongs([initial, event('call.ringing', { id: 'same' })])).toEqual([
      'duplicate: id same was that of call.initial of call 10000001',
    ]);
  });
});

describe('the order', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['call.initial', 'call.missed', 'call.connected'], ['call.connected after call.missed, which ends the call']],
    [['call.initial', 'call.missed', 'call.hangup'], ['call.hangup after call.missed, which ends the call']],
    [
      ['call.initial', 'call.connected', 'call.hangup', 'call.dtmf'],
      ['call.dtmf after call.hangup, which ends the call'],
    ],
    [['call.initial', 'call.connected', 'call.ringing', 'call.hangup'], ['call.ringing after call.connected']],
    [['call.initial', 'call.connected', 'call.missed'], ['call.missed after call.connected']],
    [['call.initial', 'call.connected', 'call.unhold'], ['call.unhold after call.connected']],
    [['call.initial', 'call.connected', 'call.hold', 'call.hold'], ['call.hold after call.hold']],
    [['call.initial', 'call.initial'], ['call.initial after call.initial']],
    [['call.initial', 'call.hangup'], ['call.hangup after call.initial']],
    [['call.initial', 'call.dtmf'], ['call.dtmf after call.initial']],
    [
      ['call.ringing', 'call.initial', 'call.connected'],
      ['call.ringing without an earlier event of the call', 'call.initial after call.ringing'],
    ],
  ])('%j', (names, expected) => {
    expect(wrongs(story(...names))).toEqual(expected.map((words) => `order: ${words}`));
  });

  it('lets who waits in a queue press keys before an agent answers, and not when it has left', () => {
    const queued = (...names: readonly string[]) => names.map((name) => event(name, { context: 'QUEUE' }));
    expect(wrongs(queued('call.initial', 'call.dtmf', 'call.ringing', 'call.dtmf', 'call.connected'))).toEqual([]);
    expect(wrongs(queued('call.dtmf'), { categories: ['dtmf'] })).toEqual([]);
    expect(wrongs(queued('call.dtmf'))).toEqual(['order: call.dtmf without an earlier event of the call']);
    expect(wrongs(queued('call.initial', 'call.missed', 'call.dtmf'))).toEqual([
      'order: call.dtmf after call.missed, which ends the call',
    ]);
  });

  it('knows no end without an answer of a call that was answered, or of which nobody has heard', () => {
    const taken = event('call.hangup', { connected_at: null });
    expect(wrongs([...story('call.initial', 'call.connected'), taken])).toEqual([
      'order: call.hangup after call.connected',
    ]);
    expect(wrongs([taken])).toEqual(['order: call.hangup without an earlier event of the call']);
    expect(wrongs([...story('call.initial'), taken, ...story('call.ringing')])).toEqual([
      'order: call.ringing after call.hangup, which ends the call',
    ]);
  });

  it('is that of the events that are received', () => {
    expect(wrongs(story('call.missed', 'call.ringing'), { categories: ['missed', 'ringing'] })).toEqual([
      'order: call.ringing after call.missed, which ends the call',
    ]);
  });

  it('is that of the times', () => {
    const later = event('call.initial', { event_time: '2026-01-01 12:00:01' });
    expect(wrongs([later, event('call.ringing', { event_time: '2026-01-01 12:00:00' })])).toEqual([
      'order: its event_time is before that of call.initial',
    ]);
  });
});

describe('the time', () => {
  it('may be a little late, as long as told', () => {
    expect(hear(watch(), event('call.initial'), START + 11_000).violations).toEqual([]);
    expect(hear(watch(), event('call.initial'), START + 11_001).violations).toEqual([
      { rule: 'late', message: 'it arrived 11 s after its event_time' },
    ]);
  });

  it('is not ahead of the clock', () => {
    expect(hear(watch(), event('call.initial'), START - 1000).violations).toEqual([]);
    expect(hear(watch(), event('call.initial'), START - 4500).violations).toEqual([
      { rule: 'early', message: 'its event_time is 5 s ahead' },
    ]);
  });

  it('is not judged when the clock is not known', () => {
    const text = JSON.stringify(event('call.initial'));
    const unknown = watch().take({ contentType: 'application/json', text, bytes: 1, nowMs: undefined });
    expect(unknown.violations).toEqual([]);
  });
});

describe('whatever comes', () => {
  it('is heard without an error', () => {
    const anyBody = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record(Object.fromEntries(Object.keys(event('call.dtmf')).map((name) => [name, fc.jsonValue()])), {
          requiredKeys: [],
        })
        .map((body) => JSON.stringify(body)),
      fc.constantFrom(...Object.keys(STATES)).map((name) => JSON.stringify(event(name, { id: 'x' }))),
    );
    fc.assert(
      fc.property(fc.array(anyBody, { maxLength: 20 }), (bodies) => {
        const watched = watch({ categories: categories.map(({ id }) => id) });
        for (const text of bodies) hear(watched, text);
      }),
    );
  });
});
