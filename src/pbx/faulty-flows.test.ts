// What phones see of faults on the wire to the exchange: loss, copies, lateness, overtaking, noise. SIP heals most of it.
import { describe, expect, it } from 'vitest';
import type { FaultAction, FaultDraft, FaultMatch } from '../faults/rule.ts';
import { garbled, OVERTAKEN_WITHIN_MS } from '../faults/sip-faults.ts';
import { dataOf } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { makeRig, type Rig, type TestPhone } from './exchange.rig.ts';

/** Before the INVITE to Bob leave Alice's 100, 407 and 100. */
const CALLING_BOB = { after: 3, times: 1 };

/** Two registered phones on unreliable wires. */
class Stage {
  readonly rig: Rig;
  readonly alice: TestPhone;
  readonly bob: TestPhone;
  readonly bobsExt: string;

  constructor(seed = 1, unreliable = true) {
    this.rig = makeRig(seed);
    this.alice = this.rig.phone(0, { unreliable });
    this.bob = this.rig.phone(1, { unreliable });
    this.bobsExt = this.rig.customer.users[1]?.ext ?? '';
    for (const phone of [this.alice, this.bob]) phone.register();
    this.rig.pass(0);
    for (const phone of [this.alice, this.bob]) phone.wire.length = 0;
  }

  set(action: FaultAction, match: Omit<FaultMatch, 'at'>, more: Partial<FaultDraft> = {}): void {
    expect(this.rig.faults.set({ match: { at: 'sip', ...match }, action, ...more }).ok).toBe(true);
  }

  get invitesFromAlice(): number {
    return this.alice.wire.filter((line) => line === '> INVITE').length;
  }

  get faults() {
    return this.rig.journal.query({ kind: 'fault' });
  }
}

describe('drop', () => {
  it('of what comes in is healed by the phone that repeats it; the exchange never saw it', () => {
    const { rig, alice, bob, bobsExt } = new Stage();
    rig.faults.set({ match: { at: 'sip', method: 'INVITE', direction: 'in' }, action: { do: 'drop' }, times: 2 });
    const before = rig.journal.last;
    alice.dial(bobsExt);
    rig.pass(1499);
    expect([alice.wire, rig.journal.query({ kind: 'sip', after: before })]).toEqual([['> INVITE', '> INVITE'], []]);
    rig.pass(1);
    expect(bob.wire).toEqual(['< INVITE', '> 100 INVITE']);
    const [first, second, third] = rig.journal.query({ kind: 'fault' });
    expect([first && second && second.at - first.at, third]).toEqual([500, undefined]);
    const { text, flow, ...data } = first === undefined ? {} : dataOf(first);
    expect(data).toMatchObject({ rule: 1, at: 'sip', method: 'INVITE', direction: 'in', action: { do: 'drop' } });
    expect([String(text).split('\r\n')[0], flow]).toEqual([
      `INVITE sip:${bobsExt}@pbx.example SIP/2.0`,
      alice.exchangeEnd.id,
    ]);
  });

  it('of what goes out is journalled under the message that was lost, in its call', () => {
    const stage = new Stage();
    stage.set({ do: 'drop' }, { method: 'INVITE', direction: 'out' }, CALLING_BOB);
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(499);
    expect(stage.bob.wire).toEqual([]);
    stage.rig.pass(1);
    expect(stage.bob.wire).toEqual(['< INVITE', '> 100 INVITE']);
    const [fault] = stage.faults;
    const [cause] = stage.rig.journal.query({ after: (fault?.cause ?? 0) - 1, limit: 1 });
    const [live] = stage.rig.exchange.liveCalls(stage.rig.customer.customerId);
    expect([cause?.kind, cause && dataOf(cause).text]).toEqual(['sip.out', fault && dataOf(fault).text]);
    expect(fault).toMatchObject({ callId: live?.record.id, customerId: stage.rig.customer.customerId });
  });

  it('of a response is found by the method that it answers', () => {
    const stage = new Stage();
    stage.set({ do: 'drop' }, { method: 'BYE', direction: 'out' });
    const call = stage.alice.dial(stage.bobsExt);
    stage.rig.pass(0);
    stage.bob.call.answer();
    stage.rig.pass(0);
    call.hangUp();
    stage.rig.pass(0);
    const seen = stage.faults.map((entry) => [dataOf(entry).method, dataOf(entry).status]);
    expect(seen).toEqual([
      ['BYE', 200],
      ['BYE', undefined],
    ]);
    expect(stage.bob.wire).not.toContain('< BYE');
    stage.rig.faults.clear();
    stage.rig.pass(500);
    expect(stage.bob.wire).toContain('< BYE');
    expect(stage.alice.wire.filter((line) => line.startsWith('< 200 BYE'))).toHaveLength(1);
  });

  it('on a reliable flow is not healed: nobody repeats the INVITE, and after timer B nobody was there', () => {
    const stage = new Stage(1, false);
    stage.set({ do: 'drop' }, { method: 'INVITE', direction: 'in' }, { times: 1 });
    const call = stage.alice.dial(stage.bobsExt);
    stage.rig.pass(31_999);
    expect(call.log).toEqual([]);
    stage.rig.pass(1);
    expect([call.log, stage.invitesFromAlice]).toEqual([['408'], 1]);
  });
});

describe('duplicate', () => {
  it('is absorbed: one call, one set of events, whatever comes and goes twice', () => {
    const stage = new Stage();
    stage.set({ do: 'duplicate' }, {});
    const call = stage.alice.dial(stage.bobsExt);
    stage.rig.pass(0);
    stage.bob.call.ring();
    stage.bob.call.answer();
    stage.rig.pass(0);
    call.hangUp();
    stage.rig.pass(40_000);
    expect(stage.bob.calls).toHaveLength(1);
    expect(stage.rig.eventNames()).toEqual([
      'call.initial INITIAL',
      'call.ringing RINGING',
      'call.connected CONNECTED',
      'call.hangup HANGUP',
    ]);
    expect(stage.bob.wire.filter((line) => line === '< INVITE')).toHaveLength(2);
    expect(stage.rig.exchange.stats).toMatchObject({ calls: 0, sessions: 0, serverTransactions: 0 });
  });
});

describe('delay', () => {
  it('is on the clock', () => {
    const stage = new Stage();
    stage.set({ do: 'delay', ms: 300 }, { method: 'INVITE', direction: 'out' }, CALLING_BOB);
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(299);
    expect(stage.bob.wire).toEqual([]);
    stage.rig.pass(1);
    expect(stage.bob.wire).toEqual(['< INVITE', '> 100 INVITE']);
  });

  it('goes on when the rule is removed, and not when its flow has gone', () => {
    const stage = new Stage();
    stage.set({ do: 'delay', ms: 100 }, { direction: 'in' });
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(0);
    stage.rig.faults.clear();
    stage.rig.pass(100);
    expect(stage.bob.wire).toEqual(['< INVITE', '> 100 INVITE']);
    stage.set({ do: 'delay', ms: 100 }, { direction: 'out' });
    stage.bob.call.ring();
    stage.rig.pass(0);
    stage.alice.vanish();
    stage.rig.pass(100);
    expect(stage.alice.wire).not.toContain('< 180 INVITE');
  });
});

describe('reorder', () => {
  it('lets the next message of the flow overtake', () => {
    const stage = new Stage();
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(0);
    stage.set({ do: 'reorder' }, { method: 'INVITE', direction: 'in' }, { times: 1 });
    stage.bob.call.ring();
    stage.bob.call.answer();
    stage.rig.pass(0);
    expect(stage.alice.wire.slice(-2)).toEqual(['< 200 INVITE', '> ACK']);
    expect(stage.rig.eventNames()).toEqual(['call.initial INITIAL', 'call.connected CONNECTED']);
    expect(stage.faults.map((entry) => dataOf(entry).status)).toEqual([180]);
  });

  it('goes by itself when nothing comes', () => {
    const stage = new Stage(1, false);
    stage.set({ do: 'reorder' }, { method: 'INVITE', direction: 'in' }, { times: 1 });
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(OVERTAKEN_WITHIN_MS - 1);
    expect(stage.bob.wire).toEqual([]);
    stage.rig.pass(1);
    expect(stage.bob.wire).toEqual(['< INVITE', '> 100 INVITE']);
  });

  it('does not wait for messages of other flows', () => {
    const stage = new Stage(1, false);
    stage.set({ do: 'reorder', ms: 5000 }, { method: 'INVITE', direction: 'in' }, { times: 1 });
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(100);
    stage.bob.request('OPTIONS', 'sip:pbx.example', '<sip:pbx.example>', []);
    stage.rig.pass(100);
    expect(stage.bob.wire).toEqual(['> OPTIONS', '< 200 OPTIONS']);
    stage.alice.request('OPTIONS', 'sip:pbx.example', '<sip:pbx.example>', []);
    stage.rig.pass(0);
    expect(stage.bob.wire).toContain('< INVITE');
  });
});

describe('garble', () => {
  it('changes one to eight bytes and never the length', () => {
    const bytes = new TextEncoder().encode('INVITE sip:101@pbx.example SIP/2.0\r\n');
    const random = new Random(1);
    const differences = Array.from({ length: 500 }, () => {
      const noisy = garbled(bytes, random);
      expect(noisy.length).toBe(bytes.length);
      return noisy.reduce((count, byte, at) => count + (byte === bytes[at] ? 0 : 1), 0);
    });
    expect([Math.min(...differences), Math.max(...differences)]).toEqual([1, 8]);
    expect(garbled(new Uint8Array(0), random)).toHaveLength(0);
  });

  it('of everything throws nothing out and leaves nothing behind', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const stage = new Stage(seed);
      stage.set({ do: 'garble' }, {}, { probability: 0.5 });
      const call = stage.alice.dial(stage.bobsExt);
      stage.rig.pass(3000);
      if (stage.bob.calls.length > 0) stage.bob.call.answer();
      stage.rig.pass(3000);
      call.hangUp();
      stage.rig.pass(60_000);
      stage.rig.faults.clear();
      stage.rig.exchange.hangUpAll();
      stage.rig.pass(150_000);
      expect(stage.faults.length).toBeGreaterThan(0);
      expect(stage.rig.exchange.stats).toMatchObject({ calls: 0, sessions: 0, serverTransactions: 0 });
    }
  });
});

describe('the same seed', () => {
  const wires = (seed: number): string => {
    const stage = new Stage(seed);
    stage.set({ do: 'drop' }, {}, { probability: 0.2 });
    stage.set({ do: 'garble' }, {}, { probability: 0.1 });
    stage.set({ do: 'delay', ms: 700 }, {}, { probability: 0.2 });
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(60_000);
    return JSON.stringify(stage.rig.journal.query());
  };

  it('gives the same faults and the same journal', () => {
    expect(wires(3)).toBe(wires(3));
  });
});

it('without rules for SIP nothing is read, held or journalled', () => {
  const run = (stage: Stage): string => {
    stage.alice.dial(stage.bobsExt);
    stage.rig.pass(0);
    stage.bob.call.answer();
    stage.rig.pass(5000);
    return JSON.stringify(stage.rig.journal.query({ kind: 'sip' }).map(({ at, data }) => [at, data]));
  };
  const struck = new Stage();
  struck.rig.faults.set({ match: { at: 'api' }, action: { do: 'reset' } });
  struck.set({ do: 'drop' }, { method: 'PUBLISH' });
  expect(run(struck)).toBe(run(new Stage()));
});
