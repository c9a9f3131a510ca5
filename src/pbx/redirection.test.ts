// A called phone answers 302: its caller goes where the phone says, in the same live call.
import { describe, expect, it } from 'vitest';
import { company } from './company.rig.ts';

const to = (target: string) => ({ headers: [['Contact', `<sip:${target}@pbx.example>`]] as const });
const quiet = {
  clientTransactions: 0,
  serverTransactions: 0,
  sessions: 0,
  subscriptions: 0,
  calls: 0,
  mediaSessions: 0,
  recordings: 0,
};

describe('a phone that redirects', () => {
  it('sends the caller to a colleague, who answers the same live call', () => {
    const { rig, phones, exts, ids } = company();
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    const callId = rig.exchange.liveCalls(rig.customer.customerId)[0]?.record.id ?? 0;
    phones[1].call.ring();
    phones[1].call.session.reject(302, to(exts[2]));
    rig.pass(0);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({
      dst: exts[2],
      dst_id: String(ids[2]),
      referred_by: exts[1],
      state: 3,
    });
    phones[2].call.ring();
    phones[2].call.answer();
    rig.pass(4000);
    expect(calling.session.state).toBe('confirmed');
    phones[2].call.hangUp();
    rig.pass(0);
    expect(rig.eventNames()).toEqual([
      'call.initial INITIAL',
      'call.ringing RINGING',
      'call.connected CONNECTED',
      'call.hangup HANGUP',
    ]);
    expect(rig.store.cdrs.find('live_id', callId)).toMatchObject([
      { type: 'I', dst: exts[2], dst_id: String(ids[2]), billsec: 4, t_cause: 'Normal clearing' },
    ]);
    rig.pass(40_000);
    expect(rig.exchange.stats).toEqual(quiet);
  });

  it('may name a number of the public network', () => {
    const { rig, phones, network, exts } = company();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.session.reject(302, to('+442079460123'));
    rig.pass(0);
    expect(network.call.session.invite.uri).toContain('sip:+442079460123@');
    network.call.answer();
    rig.pass(0);
    expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record).toMatchObject({
      dst: '+442079460123',
      destination: 0,
      state: 4,
    });
  });

  it('to a destination that is busy leaves the call unanswered for that reason', () => {
    const { rig, phones, exts } = company();
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.session.reject(302, to(exts[2]));
    rig.pass(0);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('486');
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.missed', cause: 'User busy', dst: { number: exts[2] } });
  });

  it('to nobody is a phone that is not available', () => {
    const { rig, phones, exts } = company();
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.session.reject(302, to('999'));
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('480');
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.missed FAILED']);
  });

  it('is followed five times, not for ever', () => {
    const { rig, phones, exts } = company();
    const calling = phones[0].dial(exts[1]);
    let redirections = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      rig.pass(0);
      const here = turn % 2 === 0 ? 1 : 2;
      const { session } = phones[here].call;
      if (session.state === 'terminated') break;
      session.reject(302, to(exts[here === 1 ? 2 : 1]));
      redirections += 1;
    }
    expect(redirections).toBe(6);
    expect(calling.log.at(-1)).toBe('482');
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.missed', cause: 'Exchange routing error' });
    rig.pass(40_000);
    expect(rig.exchange.stats).toEqual(quiet);
  });

  it('ends when the caller gives up meanwhile', () => {
    const { rig, phones, exts } = company();
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.session.reject(302, to(exts[2]));
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(0);
    calling.session.cancel();
    rig.pass(0);
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(rig.eventNames().at(-1)).toBe('call.missed FAILED');
  });
});
