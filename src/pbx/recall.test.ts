// A transfer that fails: the transferor keeps its party, or is called back when it has hung up.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { stateOf, talking } from './company.rig.ts';

const referTo = (target: string) => [['Refer-To', `<sip:${target}@pbx.example>`]] as const;

/** A called B, who sends A on to C and hangs up at once. */
function left() {
  const all = talking();
  const { rig, phones, exts } = all;
  phones[1].call.send('REFER', referTo(exts[2]));
  phones[1].call.hangUp();
  rig.pass(0);
  return all;
}

describe('a transfer that fails when the transferor has hung up', () => {
  it('rings the transferor, who speaks to its party again', () => {
    const { rig, phones, exts, call, callId } = left();
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(2);
    expect(phones[1].call.session.invite.headers.get('From')).toContain(`<sip:${exts[0]}@`);
    expect(stateOf(rig, callId)).toBe(4);
    phones[1].call.ring();
    phones[1].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      src: exts[0],
      dst: exts[1],
      state: 4,
      referred_by: '',
    });
    call.hangUp();
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(rig.eventNames()).toEqual([
      'call.initial INITIAL',
      'call.ringing RINGING',
      'call.connected CONNECTED',
      'call.hangup HANGUP',
    ]);
  });

  it('rings as long as the ring time of the transferor, then the call ends', () => {
    const { rig, phones, ids, call, callId } = left();
    rig.store.users.update(ids[1], { ring_time: '7', final_dst_type: 'H' });
    phones[2].call.session.reject(603);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(6999);
    expect(stateOf(rig, callId)).toBe(4);
    rig.pass(1);
    expect(stateOf(rig, callId)).toBeUndefined();
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: null, cause: 'No answer' });
  });

  it('goes where the unanswered calls of the transferor go, when it does not answer either', () => {
    const { rig, phones, ids, exts, callId } = left();
    rig.store.users.update(ids[1], { final_dst_type: 'U', final_dst_id: ids[2] });
    phones[2].call.session.reject(486);
    rig.pass(0);
    phones[1].call.session.reject(486);
    rig.pass(0);
    expect(phones[2].calls).toHaveLength(2);
    phones[2].call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[2], state: 4 });
  });

  it('ends when the one who waits gives up', () => {
    const { rig, phones, call, callId } = left();
    phones[2].call.session.reject(486);
    rig.pass(0);
    call.hangUp();
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(stateOf(rig, callId)).toBeUndefined();
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: 'caller' });
  });

  it('ends by command', () => {
    const { rig, phones, callId, call } = left();
    phones[2].call.session.reject(486);
    rig.pass(0);
    rig.exchange.hangUp(callId);
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
  });
});

describe('a transfer to somebody who does not answer', () => {
  it('goes on to where the unanswered calls of the target go, and is done there', () => {
    const { rig, phones, ids, exts, call, callId } = talking();
    rig.store.users.update(ids[2], { final_dst_type: 'U', final_dst_id: ids[1] });
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(call.notified).toEqual(['SIP/2.0 100 Trying']);
    phones[1].call.answer();
    rig.pass(0);
    expect(call.notified.at(-1)).toBe('SIP/2.0 200 OK');
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[1], referred_by: exts[0], state: 4 });
  });

  it('lets the party hear that it rings, until somebody answers or nobody does', () => {
    const { rig, phones, exts, call } = talking();
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    const heard = () =>
      rig.journal
        .query()
        .filter(({ kind }) => kind.startsWith('sound.'))
        .map((entry) => `${entry.kind} ${String(dataOf(entry).name ?? '')} ${String(dataOf(entry).to)}`);
    expect(heard()).toEqual([]);
    phones[2].call.ring();
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(0);
    expect(heard()).toEqual(['sound.played tone/ringback callee']);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(heard()).toEqual(['sound.played tone/ringback callee', 'sound.stopped  callee']);
  });

  it('may end while it rings: the transferor hears it', () => {
    const { rig, phones, exts, call, callId } = talking();
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    phones[1].call.hangUp();
    rig.pass(0);
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(call.notified.at(-1)).toBe('SIP/2.0 487 Request Terminated');
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(stateOf(rig, callId)).toBeUndefined();
    rig.pass(40_000);
    expect(Object.values(rig.exchange.stats).filter((count) => count !== 0)).toEqual([]);
  });
});
