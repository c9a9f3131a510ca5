// What the exchange does for phones that ask for it: reliable provisionals (RFC 3262) and session timers (RFC 4028), on either side of a call.
import { describe, expect, it } from 'vitest';
import { bodyText } from '../sip/fields.ts';
import type { Outcome } from '../sip/user-agent-api.ts';
import { company } from './company.rig.ts';
import { DOMAIN, type Rig } from './exchange.rig.ts';

function quiet(rig: Rig): void {
  rig.pass(100_000);
  expect(rig.exchange.stats).toMatchObject({ clientTransactions: 0, serverTransactions: 0, sessions: 0, calls: 0 });
}

const SDP =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 30000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';

/** A call of the first phone to the second, with headers of its own. */
function calling(headers: ReadonlyArray<readonly [string, string]>) {
  const { rig, phones, exts } = company();
  const user = rig.customer.users[0];
  const heard: string[] = [];
  const session = phones[0].userAgent.invite({
    uri: `sip:${exts[1]}@${DOMAIN}`,
    from: `<sip:${exts[0]}@${DOMAIN}>`,
    to: `<sip:${exts[1]}@${DOMAIN}>`,
    body: SDP,
    headers,
    credentials: { username: user?.sip_username ?? '', password: user?.sip_password ?? '' },
    events: {
      onProvisional: (_, response) =>
        heard.push(`${response.status} ${bodyText(response) === '' ? '' : 'sound'}`.trim()),
      onAnswered: (_, response) => heard.push(`${response.status} ${bodyText(response) === '' ? '' : 'sound'}`.trim()),
      onEnded: (_, ending) => heard.push(ending.by),
    },
  });
  rig.pass(0);
  return {
    rig,
    phones,
    session,
    heard,
    get called() {
      return phones[1].call;
    },
  };
}

describe('a caller that requires 100rel', () => {
  it('gets each provisional reliably, and is answered', () => {
    const { rig, phones, session, heard, called } = calling([['Require', '100rel']]);
    called.ring();
    rig.pass(0);
    called.answer();
    rig.pass(0);
    expect(heard).toEqual(['180', '200 sound']);
    expect(phones[0].wire.slice(-5)).toEqual(['< 180 INVITE', '> PRACK', '< 200 PRACK', '< 200 INVITE', '> ACK']);
    session.end();
    quiet(rig);
  });

  it('hears the sound that the called side lets it hear before the answer, described once', () => {
    const { rig, session, heard, called } = calling([['Require', '100rel']]);
    called.session.provisional(183, { body: SDP });
    rig.pass(0);
    expect(heard).toEqual(['183 sound']);
    called.answer();
    rig.pass(0);
    expect(heard).toEqual(['183 sound', '200 sound']);
    expect(session.state).toBe('confirmed');
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    session.end();
    quiet(rig);
  });

  it('that requires what nobody knows is refused with its name (420)', () => {
    const { rig, phones, exts } = company();
    const heard: string[] = [];
    const session = phones[0].userAgent.invite({
      uri: `sip:${exts[1]}@${DOMAIN}`,
      from: `<sip:${exts[0]}@${DOMAIN}>`,
      to: `<sip:${exts[1]}@${DOMAIN}>`,
      body: SDP,
      headers: [['Require', '100rel, precondition']],
      events: {
        onEnded: (_, ending) => {
          if (ending.by === 'failure')
            heard.push(`${ending.outcome.status} ${ending.outcome.response?.headers.get('Unsupported')}`);
        },
      },
    });
    rig.pass(0);
    expect(heard).toEqual(['420 precondition']);
    expect(session.state).toBe('terminated');
  });
});

describe('a called phone that answers reliably', () => {
  it('gets a PRACK, and its early description stands for the answer', () => {
    const { rig, phones, session, called } = calling([]);
    expect(called.session.invite.headers.get('Supported')).toContain('100rel');
    // The test phone's own INVITE did not require it, so that it is said by hand.
    called.session.provisional(183, {
      body: SDP,
      headers: [
        ['Require', '100rel'],
        ['RSeq', '4711'],
      ],
    });
    rig.pass(0);
    expect(phones[1].wire.slice(-3)).toEqual(['> 183 INVITE', '< PRACK', '> 481 PRACK']);
    called.session.accept('');
    rig.pass(0);
    expect(session.state).toBe('confirmed');
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    session.end();
    quiet(rig);
  });
});

describe('a session timer', () => {
  it('that a caller asks for is agreed on; the exchange waits for its refreshes, by UPDATE or re-INVITE', () => {
    const { rig, phones, session, called } = calling([
      ['Session-Expires', '1800;refresher=uac'],
      ['Min-SE', '120'],
    ]);
    called.answer();
    rig.pass(0);
    const outcomes: Outcome[] = [];
    rig.pass(900_000);
    session.update(undefined, (outcome) => outcomes.push(outcome));
    rig.pass(0);
    expect(outcomes[0]?.response?.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    rig.pass(1_700_000);
    expect(session.state).toBe('confirmed');
    // The phone refreshes by itself too; a phone that has fallen silent does not.
    phones[0].mute = () => true;
    rig.pass(2_000_000);
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toEqual([]);
    expect(called.log.at(-1)).toBe('remote-bye');
    quiet(rig);
  });

  it('that is too short is 422, with what is the least', () => {
    const { rig, phones, heard } = calling([['Session-Expires', '60']]);
    expect(heard).toEqual(['failure']);
    expect(phones[0].wire.filter((line) => line.startsWith('< 42'))).toEqual(['< 422 INVITE']);
    quiet(rig);
  });

  it('that a called phone asks for is kept by the exchange: it refreshes at half of it', () => {
    const { rig, phones, called } = calling([]);
    called.session.accept(SDP, [
      ['Require', 'timer'],
      ['Session-Expires', '600;refresher=uac'],
    ]);
    rig.pass(0);
    const before = phones[1].wire.length;
    rig.pass(900_000);
    expect(phones[1].wire.slice(before)).toEqual([
      '< UPDATE',
      '> 200 UPDATE',
      '< UPDATE',
      '> 200 UPDATE',
      '< UPDATE',
      '> 200 UPDATE',
    ]);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    phones[1].call.hangUp();
    quiet(rig);
  });

  it('is never asked for by the exchange itself', () => {
    const { called } = calling([]);
    expect(called.session.invite.headers.has('Session-Expires')).toBe(false);
    expect(called.session.invite.headers.get('Supported')).toContain('timer');
  });
});
