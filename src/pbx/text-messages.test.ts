// How text messages travel: their steps on the clock, their ends, and what arrives at numbers of ours.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resources } from '../contract/resources.ts';
import { IdBlocks } from '../kernel/ids.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import { createStore, restoreStore, type Store, stateOf } from '../store/store.ts';
import type { Stored } from '../store/stored.ts';
import { CallBook } from './call-book.ts';
import { Directory } from './directory.ts';
import type { DomainEvent } from './events.ts';
import { MAX_UNDER_WAY, TextMessages } from './text-messages.ts';

/** 2026-01-01T00:00:00Z */
const START_MS = 1_767_225_600_000;
const OWN = '+442079460101';
const OTHERS = '+442079460201';
const OUTSIDE = '+442079460911';

let stage: ReturnType<typeof open>;
beforeEach(() => {
  stage = open(new Timeline({ mode: 'manual', startMs: START_MS }), furnished());
});
afterEach(() => {
  stage.texts.close();
});

/** Two accounts with a user and a number each. */
function furnished(): Store {
  const store = createStore();
  for (const id of [1, 2]) {
    store.customers.insert(id, { id, name: `Company ${id}`, balance: 0, currencyIso: 'GBP', countryCode: '44' });
    const user = { ...emptyRecord(resources.users.schema, '2026-01-01 00:00:00'), id: id * 10_000_000 + 1 };
    store.users.insert(id, { ...user, customer: id, active: true, ext: '101' } as unknown as Stored['users']);
    const ddi = { ...emptyRecord(resources.ddis.schema, '2026-01-01 00:00:00'), id: String(id * 10_000_000 + 1) };
    const leads = { e164: `+442079460${id}01`, target_type: 1, target_id: user.id, sms_enabled: true };
    store.ddis.insert(id, { ...ddi, ...leads } as unknown as Stored['ddis']);
  }
  return store;
}

function open(clock: Timeline, store: Store) {
  const journal = new Journal(clock);
  const events: DomainEvent[] = [];
  const ids = new IdBlocks();
  const calls = new CallBook({ clock, journal, random: new Random(1), ids, onEnded: () => {} });
  calls.subscribe((event) => events.push(event));
  const texts = new TextMessages({ clock, journal, store, directory: new Directory(store), calls, mail: () => {} });
  const results = (customerId: number) =>
    [...store.sms.list(customerId)].map(({ type, result }) => `${type} ${result}`);
  const send = (to: string) => texts.send({ customerId: 1, userId: 10_000_001, from: OWN, to, text: 'Hello' });
  const pass = (ms: number) => clock.advanceTo(clock.now() + ms);
  return { clock, journal, events, texts, store, results, send, pass };
}

describe('a message to somebody outside', () => {
  it('is queued, sent after a second and delivered after another', () => {
    const sent = stage.send(OUTSIDE);
    expect(sent).toMatchObject({ ok: true, value: { id: 10_000_001, result: 'queued', type: 'out', from: OWN } });
    expect(stage.results(1)).toEqual(['out queued']);
    stage.pass(999);
    expect(stage.results(1)).toEqual(['out queued']);
    stage.pass(1);
    expect(stage.results(1)).toEqual(['out sent']);
    stage.pass(1000);
    expect(stage.results(1)).toEqual(['out delivered']);
    expect(stage.texts.underWay).toBe(0);
    expect(stage.events).toEqual([]);
    expect(stage.journal.query().map(({ kind }) => kind)).toEqual(['sms.queued', 'sms.sent', 'sms.delivered']);
  });

  it.each([
    ['+442079460001', 'delivered'],
    ['+442079460002', 'delivered'],
    ['+442079460003', 'sent'],
    ['+442079460004', 'failed'],
    ['+442079460005', 'failed'],
    ['+442079460006', 'failed'],
    ['+442079460007', 'delivered'],
    ['+442079460008', 'sent'],
    ['+15550100', 'delivered'],
  ])('%s ends as %s', (number, result) => {
    stage.send(number);
    stage.pass(60_000);
    expect(stage.results(1)).toEqual([`out ${result}`]);
    expect(stage.texts.underWay).toBe(0);
  });

  it('to an extension is refused and leaves nothing', () => {
    expect(stage.send('101')).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', details: ['to: nobody has 101'] },
    });
    expect(stage.store.sms.size).toBe(0);
  });
});

describe('a message to a number of the house', () => {
  it('arrives in the account whose number it is, and is told there', () => {
    stage.send(OTHERS);
    stage.pass(1000);
    expect(stage.results(2)).toEqual([]);
    stage.pass(1000);
    expect(stage.results(1)).toEqual(['out delivered']);
    expect([...stage.store.sms.list(2)]).toEqual([
      {
        id: 20_000_001,
        created_at: '2026-01-01 00:00:02',
        from: OWN,
        to: OTHERS,
        message: 'Hello',
        result: 'received',
        type: 'in',
        user_id: 20_000_001,
      },
    ]);
    const facts = { kind: 'sms', customerId: 2, userId: 20_000_001, from: OWN, to: OTHERS, text: 'Hello' };
    expect(stage.events).toEqual([expect.objectContaining(facts)]);
  });

  it('of the same account leaves both records there', () => {
    stage.send(OWN);
    stage.pass(2000);
    expect(stage.results(1)).toEqual(['out delivered', 'in received']);
  });

  it('that takes none fails', () => {
    stage.store.ddis.update('20000001', { sms_enabled: false });
    stage.send(OTHERS);
    stage.pass(2000);
    expect(stage.results(1)).toEqual(['out failed']);
    expect(stage.results(2)).toEqual([]);
    expect(stage.events).toEqual([]);
    expect(stage.texts.receive(OUTSIDE, OTHERS, 'x')).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
    expect(stage.texts.receive(OUTSIDE, '+15550100', 'x')).toMatchObject({ ok: false, failure: { kind: 'not_found' } });
  });

  it('of a voicemail box is told with its user', () => {
    stage.store.ddis.update('20000001', { target_type: 2 });
    expect(stage.texts.receive(OUTSIDE, OTHERS, 'Hi')).toMatchObject({ value: { userId: 20_000_001 } });
    stage.store.users.update(20_000_001, { active: false });
    expect(stage.texts.receive(OUTSIDE, OTHERS, 'Hi')).toMatchObject({ value: { userId: null } });
  });

  it('that rings nobody is told with no user', () => {
    stage.store.ddis.update('20000001', { target_type: 0, target_id: 0 });
    expect(stage.texts.receive(OUTSIDE, OTHERS, 'Hi')).toEqual({ ok: true, value: { customerId: 2, userId: null } });
    expect([...stage.store.sms.list(2)]).toMatchObject([{ user_id: 0 }]);
    expect(stage.events).toMatchObject([{ userId: null }]);
  });
});

describe('messages under way', () => {
  it('stay gone when they are removed, and reach whom they were for', () => {
    stage.send(OTHERS);
    stage.pass(1500);
    stage.store.sms.clear(1);
    stage.pass(500);
    expect(stage.results(1)).toEqual([]);
    expect(stage.results(2)).toEqual(['in received']);
  });

  it('of a world that is closed touch nothing, and go on in the one that is made from it', () => {
    stage.send(OUTSIDE);
    stage.pass(1000);
    stage.send(OTHERS);
    const state = stateOf(stage.store);
    stage.texts.close();
    const copy = createStore();
    restoreStore(copy, state);
    const next = open(stage.clock, copy);
    stage.pass(60_000);
    expect(stage.results(1)).toEqual(['out sent', 'out queued']);
    expect(stage.events).toEqual([]);
    expect(next.results(1)).toEqual(['out delivered', 'out delivered']);
    expect(next.results(2)).toEqual(['in received']);
    expect(stage.clock.busy).toBe(0);
  });

  it('are no more than may be', () => {
    for (let count = 0; count < MAX_UNDER_WAY; count += 1) stage.send(OUTSIDE);
    expect(stage.send(OUTSIDE)).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
    expect(stage.store.sms.size).toBe(MAX_UNDER_WAY);
    stage.pass(2000);
    expect(stage.send(OUTSIDE).ok).toBe(true);
  });
});

it('whatever is sent and however time goes, each message that can end has ended, and arrived once if it was delivered here', () => {
  const numbers = [OTHERS, OWN, OUTSIDE, '+442079460006', '+442079460008'];
  const step = fc.record({ to: fc.constantFrom(...numbers), waitMs: fc.integer({ min: 0, max: 2500 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const run = open(new Timeline({ mode: 'manual', startMs: START_MS }), furnished());
      for (const { to, waitMs } of steps) {
        run.send(to);
        run.pass(waitMs);
      }
      run.pass(2000);
      const count = (customerId: number, line: string) => run.results(customerId).filter((one) => one === line).length;
      const sentTo = (to: string) => steps.filter((one) => one.to === to).length;
      expect(count(1, 'out sent')).toBe(sentTo('+442079460008'));
      expect(count(1, 'out failed')).toBe(sentTo('+442079460006'));
      expect(count(1, 'out delivered')).toBe(sentTo(OTHERS) + sentTo(OWN) + sentTo(OUTSIDE));
      expect([count(1, 'in received'), count(2, 'in received')]).toEqual([sentTo(OWN), sentTo(OTHERS)]);
      expect(run.events.length).toBe(sentTo(OWN) + sentTo(OTHERS));
      expect(run.texts.underWay).toBe(0);
    }),
    { numRuns: 50 },
  );
});
