// Calls of the past: each record's trace is what the real exchange says of such a call, the same each time, and never a guess.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Cdr } from '../contract/resources/history.ts';
import { IdBlocks } from '../kernel/ids.ts';
import { dataOf } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { parseUtc } from '../kernel/time.ts';
import { seedWorld } from '../store/seed/world.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Trace } from '../store/traces.ts';
import { KEPT_TRACES, PastTraces } from './past-traces.ts';

const DOMAIN = 'pbx.example';
const NOW = Date.UTC(2026, 0, 1);

let store: Store;
let past: PastTraces;
let users: ReadonlyArray<{ readonly user_id: number; readonly ext: string }>;

beforeEach(() => {
  store = createStore();
  const world = seedWorld(store, { random: new Random(1), nowMs: NOW, domain: DOMAIN, liveIds: new IdBlocks() });
  users = world.customers[0]?.users ?? [];
  past = new PastTraces({ store, domain: DOMAIN, product: 'pbxsim' });
});

function traceOf(liveId: number, from = past): Trace {
  const trace = from.read(liveId);
  if (trace?.ok !== true) throw new Error(trace?.failure.message ?? `no call ${liveId}`);
  return trace.value;
}

function refusal(liveId: number): string {
  const trace = past.read(liveId);
  return trace?.ok === false ? trace.failure.message : 'there is a trace';
}

/** `in INVITE`, `out 180`: the SIP of the call, and `* STATE` between. */
function story({ entries }: Trace): string[] {
  return entries.flatMap((entry) => {
    const { method, status, to } = dataOf(entry);
    if (entry.kind === 'call.state') return [`* ${to}`];
    if (!entry.kind.startsWith('sip.')) return [];
    return [`${entry.kind.slice(4)} ${status === undefined ? method : `${status} ${method}`}`];
  });
}

/** Seconds from the beginning of the call to each entry of that kind of change. */
function statesOf({ entries }: Trace): Array<[state: unknown, atS: number]> {
  const start = entries[0]?.at ?? 0;
  return entries
    .filter(({ kind }) => kind === 'call.state')
    .map((entry) => [dataOf(entry).to, (entry.at - start) / 1000]);
}

/** A call from the first user to the second at noon, after what the seed has. */
function written(members: Partial<Cdr>): Cdr {
  const [first, second] = users;
  const [seeded] = store.cdrs.list(1);
  if (seeded === undefined || first === undefined || second === undefined)
    throw new Error('the seed has calls and users');
  return store.cdrs.insert(1, {
    ...seeded,
    ...{ id: store.cdrs.nextId(1), live_id: 19_000_001, calldate: '2025-06-01 12:00:00', destination: 'in' },
    ...{ src_id: String(first.user_id), src: first.ext, src_name: 'Ada Byron', user_id: first.user_id },
    ...{ dst_id: String(second.user_id), dst: second.ext, dst_name: 'Alan Turing', clid: `"Ada Byron" <${first.ext}>` },
    ...{ duration: 34, billsec: 30, disposition: 'CONNECTED', t_cause: 'Normal clearing' },
    ...members,
  });
}

const outsider = { dst_id: '', dst: '+442079460955', dst_name: '', destination: 'out' } as const;

describe('the past of the seed world', () => {
  it('has a trace of every call, at its time, that ends as the record says', () => {
    for (const customer of [1, 2]) {
      for (const cdr of store.cdrs.list(customer)) {
        const { callId, customerId, entries } = traceOf(cdr.live_id);
        expect([callId, customerId]).toEqual([cdr.live_id, customer]);
        expect(new Set(entries.map((entry) => entry.callId))).toEqual(new Set([cdr.live_id]));
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
        const [first] = entries;
        expect(first?.at).toBe(parseUtc(cdr.calldate));
        const closed = entries.find(({ kind }) => kind === 'call.closed');
        expect(closed && dataOf(closed).cause).toBe(cdr.t_cause);
        expect((closed?.at ?? 0) - (first?.at ?? 0)).toBe(cdr.duration * 1000);
      }
    }
  });

  it('is at a voicemail box what the exchange does there: it answers, greets, and nobody’s phone rings', () => {
    const [message] = store.voicemessages.list(1);
    const trace = traceOf(message?.live_id ?? 0);
    const [visit] = store.cdrs.find('live_id', message?.live_id ?? 0);
    expect(story(trace)).toEqual([
      ...['in INVITE', 'out 100 INVITE', '* INITIAL', 'out 200 INVITE', '* CONNECTED', 'in ACK'],
      ...['in BYE', 'out 200 BYE', '* HANGUP'],
    ]);
    const kinds = trace.entries.filter(({ kind }) => kind.startsWith('sound.') || kind === 'voicemessage.kept');
    expect(kinds.map((entry) => dataOf(entry).name ?? dataOf(entry).duration)).toEqual([
      ...['prompt/voicemail-greeting', 'tone/beep', message?.duration],
    ]);
    expect(visit?.billsec).toBe((message?.duration ?? 0) + 6);
  });

  it('is the same each time, also for a simulator that has just started', () => {
    const again = new PastTraces({ store, domain: DOMAIN, product: 'pbxsim' });
    for (const { live_id } of [...store.cdrs.list(1)].slice(0, 20)) {
      expect(JSON.stringify(traceOf(live_id, again))).toBe(JSON.stringify(traceOf(live_id)));
    }
  });

  it('names the media session by the Call-ID that its records have', () => {
    for (const msdr of [...store.msdrs.list(1)].slice(0, 20)) {
      const liveId = Number(/^past-(\d+)@pbx\.example$/.exec(msdr.call_id)?.[1]);
      const own = traceOf(liveId).entries.filter((entry) => dataOf(entry).sip_call_id === msdr.call_id);
      expect(own.length).toBeGreaterThan(4);
      for (const entry of own) expect(dataOf(entry).text).toContain(`\r\nCall-ID: ${msdr.call_id}\r\n`);
    }
  });

  it('is not kept for ever, and stays the same', () => {
    const before = traceOf(10_000_001);
    expect(traceOf(10_000_001)).toBe(before);
    const template = [...store.cdrs.list(1)].find(({ live_id }) => live_id === 10_000_001);
    for (let index = 0; index < KEPT_TRACES && template !== undefined; index += 1) {
      const live_id = 18_000_001 + index;
      store.cdrs.insert(1, { ...template, id: store.cdrs.nextId(1), live_id, duration: 2, billsec: 0 });
      past.read(live_id);
    }
    expect(traceOf(10_000_001)).not.toBe(before);
    expect(traceOf(10_000_001)).toEqual(before);
  });
});

describe('a call of the past', () => {
  it('between two users is challenged, rings, is answered and ends by BYE', () => {
    const { live_id } = written({});
    expect(story(traceOf(live_id))).toEqual([
      ...['in INVITE', 'out 100 INVITE', 'out 407 INVITE', 'in ACK', 'in INVITE', 'out 100 INVITE'],
      ...['out INVITE', '* INITIAL', 'in 100 INVITE', 'in 180 INVITE', '* RINGING', 'out 180 INVITE'],
      ...['in 200 INVITE', 'out ACK', 'out 200 INVITE', '* CONNECTED', 'in ACK'],
      ...['in BYE', 'out 200 BYE', 'out BYE', '* HANGUP', 'in 200 BYE'],
    ]);
    expect(statesOf(traceOf(live_id))).toEqual([
      ['INITIAL', 0],
      ['RINGING', 0],
      ['CONNECTED', 4],
      ['HANGUP', 34],
    ]);
  });

  it('was on hold in the middle, for one in five of those of a minute or more', () => {
    const { live_id } = written({ live_id: 19_000_005, duration: 124, billsec: 120 });
    expect(statesOf(traceOf(live_id)).slice(2)).toEqual([
      ['CONNECTED', 4],
      ['ON_HOLD', 64],
      ['CONNECTED', 84],
      ['HANGUP', 124],
    ]);
  });

  it('to somebody who was busy has a 486', () => {
    const { live_id } = written({
      ...{ ...outsider, duration: 1, billsec: 0, disposition: 'INITIAL', t_cause: 'User busy' },
    });
    const told = story(traceOf(live_id));
    expect(told).toContain('in 486 INVITE');
    expect(told).toContain('out 486 INVITE');
    expect(told).not.toContain('in 180 INVITE');
    expect(statesOf(traceOf(live_id)).at(-1)).toEqual(['FAILED', 1]);
  });

  it('that nobody answered is cancelled when the ring time is over', () => {
    const { live_id } = written({ duration: 20, billsec: 0, disposition: 'RINGING', t_cause: 'No answer' });
    const told = story(traceOf(live_id));
    expect(told).toContain('out CANCEL');
    expect(told).toContain('out 480 INVITE');
    expect(statesOf(traceOf(live_id)).at(-1)).toEqual(['FAILED', 20]);
  });

  it('that the caller gave up is cancelled by the caller', () => {
    const { live_id } = written({ duration: 7, billsec: 0, disposition: 'RINGING', t_cause: 'Originator cancel' });
    const told = story(traceOf(live_id));
    expect(told).toContain('in CANCEL');
    expect(told).toContain('out 487 INVITE');
  });

  it('by a colleague who spoke to the voicemail box is answered there', () => {
    const voicemail = { context: 'VOICEMAIL', disposition: 'VM', duration: 30 } as const;
    const { live_id } = written(voicemail);
    expect(statesOf(traceOf(live_id))).toEqual([
      ['INITIAL', 0],
      ['CONNECTED', 0],
      ['HANGUP', 30],
    ]);
  });

  it.each([
    ['Call rejected', 'in 603 INVITE'],
    ['No user responding', 'in 480 INVITE'],
  ])('that ended with "%s" has what the phone said', (t_cause, said) => {
    const { live_id } = written({ ...outsider, duration: 3, billsec: 0, disposition: 'RINGING', t_cause });
    expect(story(traceOf(live_id))).toContain(said);
  });

  it('by command rings the caller first', () => {
    const { live_id } = written({ ...outsider, destination: 'webcall' });
    expect(story(traceOf(live_id)).slice(0, 3)).toEqual(['out INVITE', '* INITIAL', 'in 100 INVITE']);
    expect(statesOf(traceOf(live_id)).map(([state]) => state)).toEqual([
      ...['INITIAL', 'ACCEPTED', 'ACCEPTED', 'RINGING', 'CONNECTED', 'HANGUP'],
    ]);
  });
});

describe('there is no trace', () => {
  it('without a record', () => {
    expect(past.read(19_000_001)).toBeUndefined();
  });

  it.each<[string, Partial<Cdr>, RegExp]>([
    [
      'of an end that nobody can act out',
      { t_cause: 'Struck by lightning' },
      /how a call ends with "Struck by lightning"/,
    ],
    ['of times that no call has', { duration: 5, billsec: 9 }, /no times that a call could have had/],
    ['of a date that is none', { calldate: 'yesterday' }, /no times that a call could have had/],
    ['of a call of years', { duration: 100_000_000, billsec: 99_999_999 }, /no times that a call could have had/],
    ['of an id of somebody else', { live_id: 20_000_777 }, /its live id is none of its account/],
    ['when no user took part', { src_id: '', src: '+442079460955', ...outsider }, /no user took part/],
    ['of a menu whose keys nobody knows', { context: 'IVR', dst: '800' }, /nobody knows what was done in it/],
    ['of a mailbox', { context: 'VOICEMAIL' }, /nobody knows what was done in it/],
    ['when the call would have ended otherwise', { ...outsider, dst: '12' }, /^This call of the past has no trace: /],
    [
      'of a call that rang longer than any rings',
      { duration: 9, billsec: 0, disposition: 'RINGING', t_cause: 'Subscriber absent' },
      /would have had/,
    ],
  ])('%s', (_, members, message) => {
    expect(refusal(written(members).live_id)).toMatch(message);
  });

  it('and never an exception, whatever a record says', () => {
    const odd: ReadonlyArray<Partial<Cdr>> = [
      { src: '', dst: '' },
      { src: 'a b;c', dst: '<>"' },
      { src_id: 'x', dst_id: '-1' },
      { dst_id: String(users[0]?.user_id), dst: users[0]?.ext ?? '' },
      { src: '*#', clid: '' },
      { ...outsider, dst: '9'.repeat(300) },
      { src_name: '"\\\r\nEvil: 1', src: users[0]?.ext ?? '' },
      { live_id: 10_000_000, duration: Number.NaN },
      { duration: 0.5, billsec: 0.25 },
    ];
    odd.forEach((members, index) => {
      const cdr = written({ live_id: 17_000_001 + index, ...members });
      expect(past.read(cdr.live_id)?.ok).toBeTypeOf('boolean');
    });
  });
});
