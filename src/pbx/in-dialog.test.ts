// What phones send within a call besides re-INVITE, BYE and digits: UPDATE (RFC 3311), OPTIONS, late offers (RFC 3261, 13.2.1 and 14.2).
import { describe, expect, it } from 'vitest';
import { bodyText } from '../sip/fields.ts';
import type { Outcome } from '../sip/user-agent-api.ts';
import { company, stateOf, talking } from './company.rig.ts';
import type { Rig, TestCall } from './exchange.rig.ts';

const ALLOWED = /^INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, .*INFO, REFER, NOTIFY/;

function updated(call: TestCall, sdp: string | undefined): Outcome[] {
  const outcomes: Outcome[] = [];
  call.session.update(sdp, (outcome) => outcomes.push(outcome));
  return outcomes;
}

function quiet(rig: Rig): void {
  rig.pass(100_000);
  expect(rig.exchange.stats).toEqual({
    clientTransactions: 0,
    serverTransactions: 0,
    sessions: 0,
    subscriptions: 0,
    calls: 0,
    mediaSessions: 0,
    recordings: 0,
  });
}

describe('an UPDATE of a party that talks', () => {
  it('holds and resumes as a re-INVITE does', () => {
    const { rig, call, callId } = talking();
    const [held] = [updated(call, call.sdp('sendonly'))];
    rig.pass(0);
    expect(held).toMatchObject([{ status: 200 }]);
    expect(held[0]?.response && bodyText(held[0].response)).toContain('a=recvonly');
    expect(stateOf(rig, callId)).toBe(5);
    updated(call, call.sdp('sendrecv'));
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
    call.hangUp();
    quiet(rig);
  });

  it('with sound that we do not carry is 488, and nothing changes', () => {
    const { rig, call, callId } = talking();
    const outcome = updated(
      call,
      'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 97\r\na=rtpmap:97 iLBC/8000\r\n',
    );
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 488 }]);
    expect(stateOf(rig, callId)).toBe(4);
  });

  it('without an offer is answered, with where we are', () => {
    const { rig, call } = talking();
    const outcome = updated(call, undefined);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 200 }]);
    expect(outcome[0]?.response?.headers.get('Contact')).toMatch(/^<sip:pbxsim@/);
  });

  it('is known before: the exchange names it in Allow', () => {
    const { call, phones } = talking();
    expect([call.session.takesUpdate, phones[1].call.session.takesUpdate]).toEqual([true, true]);
  });
});

describe('OPTIONS', () => {
  it('within a call is answered with what the exchange can do, and touches nothing', () => {
    const { rig, call, callId } = talking();
    const outcome = call.send('OPTIONS', []);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 200 }]);
    const headers = outcome[0]?.response?.headers;
    expect(headers?.get('Allow')).toMatch(ALLOWED);
    expect(headers?.get('Accept')).toBe('application/sdp');
    expect(stateOf(rig, callId)).toBe(4);
  });

  it('outside any call is answered with the same, and a method that nobody knows with that Allow', () => {
    const { rig, phones } = company();
    const options = phones[0].request('OPTIONS', 'sip:pbx.example', '<sip:pbx.example>', []);
    const publish = phones[0].request('PUBLISH', 'sip:pbx.example', '<sip:pbx.example>', []);
    rig.pass(0);
    const allow = options[0]?.response?.headers.get('Allow');
    expect(options[0]?.status).toBe(200);
    expect(allow).toMatch(ALLOWED);
    expect(allow).toContain('REGISTER');
    expect(publish[0]?.status).toBe(405);
    expect(publish[0]?.response?.headers.get('Allow')).toBe(allow);
  });

  it('advertises no extension that does not work', () => {
    const { rig, phones } = company();
    const options = phones[0].request('OPTIONS', 'sip:pbx.example', '<sip:pbx.example>', []);
    rig.pass(0);
    for (const tag of options[0]?.response?.headers.get('Supported')?.split(', ') ?? []) {
      expect(['replaces', '100rel', 'timer', 'norefersub']).toContain(tag);
    }
  });
});

describe('a SUBSCRIBE within a call', () => {
  it.each([
    ['message-summary', 403, undefined],
    ['dialog', 403, undefined],
    // Only a REFER subscribes to its own progress (RFC 3515).
    ['refer;id=2', 403, undefined],
    ['presence', 489, 'message-summary, dialog'],
    ['', 489, 'message-summary, dialog'],
  ])('to %s is %i: a subscription has a dialog of its own (RFC 6665, 4.5.2)', (event, status, allowed) => {
    const { rig, call, callId } = talking();
    const outcome = call.send('SUBSCRIBE', [
      ['Event', event],
      ['Expires', '3600'],
      ['Contact', '<sip:phone@phone.example>'],
    ]);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
    expect(outcome[0]?.response?.headers.get('Allow-Events')).toBe(allowed);
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.exchange.stats.subscriptions).toBe(0);
  });
});

describe('an INVITE without an offer', () => {
  it('is answered with one of what both parties can do; the answer comes in the ACK', () => {
    const { rig, phones } = company();
    const call = phones[0].dial(rig.customer.users[1]?.ext ?? '', { body: null });
    rig.pass(0);
    // The called party was offered what the exchange carries.
    expect(bodyText(phones[1].call.session.invite)).toMatch(/m=audio \d+ RTP\/AVP 0 8 101/);
    phones[1].call.answer();
    rig.pass(0);
    expect(phones[0].wire.at(-1)).toBe('< 200 INVITE');
    call.session.ack(call.sdp());
    rig.pass(0);
    expect(call.session.state).toBe('confirmed');
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.connected CONNECTED']);
    call.hangUp();
    quiet(rig);
  });

  it('may be held by its very answer', () => {
    const { rig, phones } = company();
    const call = phones[0].dial(rig.customer.users[1]?.ext ?? '', { body: null });
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    call.session.ack(call.sdp('sendonly'));
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.hold ON_HOLD');
  });

  it('whose ACK brings no answer ends the call', () => {
    const { rig, phones } = company();
    const call = phones[0].dial(rig.customer.users[1]?.ext ?? '', { body: null });
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    call.session.ack('');
    rig.pass(0);
    expect(call.session.state).toBe('terminated');
    expect(phones[1].call.session.state).toBe('terminated');
    quiet(rig);
  });

  it('within a call is answered with an offer, too', () => {
    const { rig, call, callId } = talking();
    const outcomes: Outcome[] = [];
    call.session.reinvite(undefined, (outcome) => outcomes.push(outcome));
    rig.pass(0);
    expect(outcomes).toMatchObject([{ status: 200 }]);
    call.session.ack(call.sdp('sendonly'));
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
  });
});
