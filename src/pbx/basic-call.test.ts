// The basic call and its failures as stories: SIP on both sides, state, events and CDR from the same signalling.
import { describe, expect, it } from 'vitest';
import { makeRig, type Rig, type TestPhone } from './exchange.rig.ts';

function twoPhones(): { rig: Rig; alice: TestPhone; bob: TestPhone; bobExt: string } {
  const rig = makeRig();
  const alice = rig.phone(0);
  const bob = rig.phone(1);
  alice.register();
  bob.register();
  rig.pass(0);
  return { rig, alice, bob, bobExt: rig.customer.users[1]?.ext ?? '' };
}

const newCdrs = (rig: Rig) => [...rig.store.cdrs.list(rig.customer.customerId)];

describe('an extension calls another', () => {
  it('registers with digest', () => {
    const { rig, alice } = twoPhones();
    expect(alice.wire).toEqual(['> REGISTER', '< 401 REGISTER', '> REGISTER', '< 200 REGISTER']);
    expect(rig.store.users.get(rig.customer.users[0]?.user_id ?? 0)?.nb_sip_locations).toBe(1);
  });

  it('rings, is answered and hung up by the callee, with one chain of events and one CDR', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt);
    rig.pass(0);
    bob.call.ring();
    rig.pass(3000);
    const [live] = rig.exchange.liveCalls(rig.customer.customerId);
    expect(live?.record).toMatchObject({ state: 3, destination: 0, dst: bobExt, duration: 3, connected_at: 0 });
    bob.call.answer();
    rig.pass(10_000);
    expect(calling.session.state).toBe('confirmed');
    bob.call.hangUp();
    rig.pass(0);
    expect(alice.wire.slice(4)).toEqual([
      '> INVITE',
      '< 100 INVITE',
      '< 407 INVITE',
      '> ACK',
      '> INVITE',
      '< 100 INVITE',
      '< 180 INVITE',
      '< 200 INVITE',
      '> ACK',
      '< BYE',
      '> 200 BYE',
    ]);
    expect(rig.eventNames()).toEqual([
      'call.initial INITIAL',
      'call.ringing RINGING',
      'call.connected CONNECTED',
      'call.hangup HANGUP',
    ]);
    expect(rig.events.at(-1)).toMatchObject({
      durationS: 13,
      terminatedBy: 'callee',
      cause: 'Normal clearing',
      callId: live?.record.id,
    });
    expect(newCdrs(rig)).toMatchObject([
      {
        live_id: live?.record.id,
        duration: 13,
        billsec: 10,
        type: 'I',
        disposition: 'CONNECTED',
        dst: bobExt,
        t_cause: 'Normal clearing',
      },
    ]);
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toEqual([]);
    rig.pass(40_000);
    expect(rig.exchange.stats).toEqual({
      clientTransactions: 0,
      serverTransactions: 0,
      sessions: 0,
      subscriptions: 0,
      calls: 0,
      mediaSessions: 0,
      recordings: 0,
    });
  });

  it.each([
    [486, 'User busy', 'callee'],
    [603, 'Call rejected', 'callee'],
    [480, 'No user responding', null],
  ])('gives the caller %i when the phone answers so', (status, cause, by) => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt);
    rig.pass(0);
    bob.call.session.reject(status);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe(String(status));
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.missed FAILED']);
    expect(rig.events.at(-1)).toMatchObject({ cause, terminatedBy: by });
    expect(newCdrs(rig)).toMatchObject([{ type: 'M', billsec: 0, disposition: 'INITIAL', t_cause: cause }]);
  });

  it('refuses an extension without a phone with 480 and records the missed call', () => {
    const { rig, alice } = twoPhones();
    const calling = alice.dial(rig.customer.users[2]?.ext ?? '');
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('480');
    expect(rig.eventNames()).toEqual(['call.missed FAILED']);
    expect(newCdrs(rig)).toMatchObject([{ type: 'M', t_cause: 'Subscriber absent' }]);
  });

  it('refuses an extension that nobody has with 404 and no call', () => {
    const { rig, alice } = twoPhones();
    const calling = alice.dial('799');
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('404');
    expect(rig.events).toEqual([]);
    expect(newCdrs(rig)).toEqual([]);
  });

  it('gives up after the ring time: CANCEL with a reason, 487, and 480 to the caller', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt);
    rig.pass(0);
    bob.call.ring();
    rig.pass(19_999);
    expect(bob.call.session.state).toBe('early');
    rig.pass(1);
    expect(bob.wire.slice(4)).toEqual([
      '< INVITE',
      '> 100 INVITE',
      '> 180 INVITE',
      '< CANCEL',
      '> 200 CANCEL',
      '> 487 INVITE',
      '< ACK',
    ]);
    expect(bob.call.ending?.by === 'cancel' && bob.call.ending.request?.headers.get('Reason')).toBe(
      'Q.850;cause=19;text="No answer"',
    );
    expect(calling.log.at(-1)).toBe('480');
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.missed', cause: 'No answer', durationS: 20 });
  });

  it('stops ringing when the caller cancels', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt);
    rig.pass(0);
    bob.call.ring();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('cancel');
    expect(bob.call.log).toEqual(['cancel']);
    expect(rig.events.at(-1)).toMatchObject({
      name: 'call.missed',
      cause: 'Originator cancel',
      terminatedBy: 'caller',
    });
  });

  it('ends in ACK and BYE at the callee when its 200 crosses the CANCEL', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt);
    rig.pass(0);
    bob.call.ring();
    rig.pass(0);
    bob.call.answer();
    calling.hangUp();
    rig.pass(0);
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toEqual([]);
    expect(bob.call.session.state).toBe('terminated');
    expect(calling.session.state).toBe('terminated');
    const terminal = rig.eventNames().filter((name) => /hangup|missed|failed/.test(name));
    expect(terminal).toHaveLength(1);
  });

  it('answers 488 to an offer without a codec of ours, before any phone rings', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt, {
      body: 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 96\r\na=rtpmap:96 opus/48000/2\r\n',
    });
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('488');
    expect(bob.calls).toEqual([]);
    expect(rig.events).toEqual([]);
  });

  it('answers a caller without an offer with its own', () => {
    const { rig, alice, bob, bobExt } = twoPhones();
    const calling = alice.dial(bobExt, { body: null });
    rig.pass(0);
    bob.call.answer();
    rig.pass(0);
    expect(calling.log).toEqual(['200']);
    calling.session.ack(calling.sdp());
    rig.pass(5000);
    expect(calling.session.state).toBe('confirmed');
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
  });
});
