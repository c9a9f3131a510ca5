// Recordings as stories: by themselves as users want it, by order with pauses, through hold, and what each leaves.
import { describe, expect, it } from 'vitest';
import { codeOf, monitorModeCodes } from '../contract/codes.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { studio } from './recording.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

describe('calls that are recorded by themselves', () => {
  it.each([
    ['the callee wants all', { 1: 'A' }, 1],
    ['the callee wants what comes in', { 1: 'I' }, 1],
    ['the caller wants what goes out', { 0: 'O' }, 0],
    ['the caller wants all', { 0: 'A' }, 0],
    ['both do: it is one recording, of the callee', { 0: 'A', 1: 'A' }, 1],
    ['the callee wants only what goes out', { 1: 'O' }, undefined],
    ['the caller wants only what comes in', { 0: 'I' }, undefined],
    ['nobody wants it', {}, undefined],
  ] as const)('%s', (_, settings, whose) => {
    const { rig, ids, set, talk, live, recordings, end, over } = studio();
    for (const [index, monitor] of Object.entries(settings)) set(Number(index) as 0 | 1, { monitor });
    const call = talk();
    expect(live()[0]?.monitor_state).toBe(whose === undefined ? 0 : 1);
    rig.pass(9000);
    expect(recordings()).toEqual([]);
    end(call);
    expect(recordings().map(({ user_id }) => user_id)).toEqual(whose === undefined ? [] : [ids[whose]]);
    over();
  });

  it('leave a record of the parties, from the answer to the end, with the id of the call', () => {
    const { rig, ids, exts, set, talk, live, recordings, end, over } = studio();
    set(1, { monitor: 'I' });
    const call = talk();
    const [{ id = 0 } = {}] = live();
    rig.pass(12_500);
    end(call);
    expect(recordings()).toMatchObject([
      {
        live_id: id,
        user_id: ids[1],
        sip_endpoint_id: ids[1],
        duration: 12,
        size: 288 * (Math.ceil((12 * 8000) / 576) + 2),
        caller: exts[0],
        called: exts[1],
        src_id: String(ids[0]),
        dst_id: String(ids[1]),
        context: 'USER_LOCAL',
        type: 'I',
        timestamp: '2026-01-01 00:00:01',
        transcript: '',
        summary: '',
        sentiment: '',
      },
    ]);
    over();
  });

  it('never are between extensions of which one does not want it; with the public network they are', () => {
    const { rig, phones, set, talk, network, recordings, end, order, over } = studio();
    set(1, { monitor: 'A' });
    set(0, { monitor: 'A', rec_never_internal: true });
    const inside = talk();
    expect(order({ recording: 'start' })).toMatchObject({
      kind: 'invalid',
      details: ['monitor_state: calls between these extensions are never recorded'],
    });
    end(inside);
    expect(recordings()).toEqual([]);
    const outside = talk('+442079460123', network);
    rig.pass(2000);
    end(outside);
    expect(recordings()).toMatchObject([{ called: '+442079460123', type: 'O', context: 'PSTN_CALL', duration: 2 }]);
    expect(phones[0].calls).toHaveLength(2);
    over();
  });

  it('are recorded once when a group was called: as the call of the member who answered', () => {
    const { rig, phones, ids, set, live, recordings, over } = studio();
    makeGroup({ rig });
    set(0, { monitor: 'O' });
    const call = phones[0].dial('790');
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(5000);
    const [group, member] = live();
    expect([group?.monitor_state, member?.monitor_state]).toEqual([1, 1]);
    call.hangUp();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ live_id: member?.id, dst_id: String(ids[2]), duration: 5 }]);
    over();
  });

  it('for a queue are not made either between extensions of which one does not want it', () => {
    const { rig, phones, ids, set, live, recordings, over } = studio();
    makeQueue(rig, { monitor: codeOf(monitorModeCodes, 'A'), agents: [ids[1]] });
    const call = (): readonly number[] => {
      const made = phones[0].dial('690');
      rig.pass(1000);
      phones[1].calls.at(-1)?.answer();
      rig.pass(3000);
      const states = live().map(({ monitor_state }) => monitor_state);
      made.hangUp();
      rig.pass(0);
      return states;
    };
    expect(call()).toEqual([1, 1]);
    expect(recordings()).toMatchObject([{ user_id: ids[1] }]);
    set(1, { rec_never_internal: true });
    rig.pass(60_000);
    expect(call()).toEqual([0, 0]);
    expect(recordings()).toHaveLength(1);
    over();
  });
});

describe('recording by order', () => {
  it('starts, pauses and resumes; what is said in a pause does not count', () => {
    const { rig, ids, talk, order, live, recordings, end, over } = studio();
    const call = talk();
    rig.pass(3000);
    expect(order({ recording: 'start' })).toEqual({ state: 1 });
    rig.pass(4000);
    expect(order({ recording: 'pause' })).toEqual({ state: 2 });
    rig.pass(10_000);
    expect(live()[0]?.monitor_state).toBe(2);
    expect(order({ recording: 'resume' })).toEqual({ state: 1 });
    rig.pass(2000);
    end(call);
    expect(recordings()).toMatchObject([{ user_id: ids[0], duration: 6, timestamp: '2026-01-01 00:00:04' }]);
    over();
  });

  it('may end in a pause; acts that lead to the state of now change nothing', () => {
    const { rig, talk, order, recordings, end, over } = studio();
    const call = talk();
    order({ recording: 'start' });
    expect(order({ recording: 'start' })).toEqual({ state: 1 });
    expect(order({ recording: 'resume' })).toEqual({ state: 1 });
    rig.pass(2000);
    order({ recording: 'pause' });
    expect(order({ recording: 'pause' })).toEqual({ state: 2 });
    rig.pass(7000);
    end(call);
    expect(recordings()).toMatchObject([{ duration: 2 }]);
    over();
  });

  it('is refused to a user who may not record, before the answer, and where nothing is recorded', () => {
    const { rig, phones, exts, ids, set, order, recordings, over } = studio();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    expect(order({ recording: 'start' })).toMatchObject({
      kind: 'invalid',
      details: ['monitor_state: only an answered call can be recorded; this one is RINGING'],
    });
    phones[1].call.answer();
    rig.pass(0);
    for (const recording of ['pause', 'resume'] as const)
      expect(order({ recording })).toMatchObject({ details: ['monitor_state: the call is not being recorded'] });
    set(1, { rec_allowed: false });
    expect(order({ recording: 'start', labels: ['x'] }, ids[1])).toMatchObject({
      kind: 'forbidden',
      details: ['monitor_state: recording is not allowed to this user'],
    });
    expect(order({ recording: 'start' }, ids[0])).toEqual({ state: 1 });
    phones[0].call.hangUp();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ user_id: ids[0] }]);
    over();
  });

  it('of the call of a group acts on the conversation', () => {
    const { rig, phones, live, order, recordings, over } = studio();
    makeGroup({ rig });
    const call = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    const [group, member] = live();
    expect(order({ recording: 'start' }, undefined, group?.id)).toEqual({ state: 1 });
    rig.pass(1000);
    call.hangUp();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ live_id: member?.id, duration: 1 }]);
    over();
  });
});

describe('a recording', () => {
  it('is not interrupted by a hold', () => {
    const { rig, set, talk, recordings, end, over } = studio();
    set(0, { monitor: 'A' });
    const call = talk();
    rig.pass(1000);
    call.reoffer('sendonly');
    rig.pass(3000);
    call.reoffer('sendrecv');
    rig.pass(1000);
    end(call);
    expect(recordings()).toMatchObject([{ duration: 5 }]);
    over();
  });

  it('tells in words who spoke when, for users who want that; the same call, the same words', () => {
    const texts = [0, 1].map(() => {
      const { rig, set, talk, recordings, end } = studio();
      set(1, { monitor: 'A', monitor_transcript: 'Y' });
      const call = talk();
      rig.pass(60_000);
      end(call);
      const [{ transcript = '', summary = '', sentiment = '' } = {}] = recordings();
      return { transcript, summary, sentiment };
    });
    expect(texts[0]).toEqual(texts[1]);
    expect(texts[0]?.sentiment).toBe('positive');
    expect(texts[0]?.summary).toMatch(/^.+ spoke with .+ for 60 s: .+ \d+ s, .+ \d+ s\.$/);
    const lines = texts[0]?.transcript.split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(5);
    expect(lines[0]).toMatch(/^\[00:00\] .+ speaks for \d+\.\d s\.$/);
  });

  it.each([
    [9, 'negative'],
    [30, 'neutral'],
  ])('of %i s has the mood %s', (seconds, mood) => {
    const { rig, set, talk, recordings, end } = studio();
    set(1, { monitor: 'A', monitor_transcript: 'Y' });
    const call = talk();
    rig.pass(seconds * 1000);
    end(call);
    expect(recordings()).toMatchObject([{ sentiment: mood }]);
  });

  it('of an account that is gone leaves no record', () => {
    const { rig, set, talk, recordings } = studio();
    set(1, { monitor: 'A' });
    talk();
    rig.store.customers.delete(rig.customer.customerId);
    rig.exchange.forgetCustomer(rig.customer.customerId);
    rig.pass(40_000);
    expect(recordings()).toEqual([]);
  });
});
