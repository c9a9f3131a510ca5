// Offers while a phone still rings (RFC 3311, RFC 6337): who calls or is called holds, moves or takes another codec before the answer.
import { describe, expect, it } from 'vitest';
import { bodyText } from '../sip/fields.ts';
import type { Outcome } from '../sip/user-agent-api.ts';
import { company, stateOf } from './company.rig.ts';
import type { Rig, TestCall, TestPhone } from './exchange.rig.ts';

const RELIABLY = { headers: [['Require', '100rel']] } as const;

function sdp(codec: 'PCMU' | 'PCMA' | 'iLBC', direction = 'sendrecv', version = 9): string {
  const number = { PCMU: 0, PCMA: 8, iLBC: 97 }[codec];
  const lines = [
    ...['v=0', `o=- 7 ${version} IN IP4 127.0.0.1`, 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
    ...[`m=audio 31000 RTP/AVP ${number}`, `a=rtpmap:${number} ${codec}/8000`, `a=${direction}`],
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

function audioIn(text: string): string {
  return /^m=.*$/m.exec(text)?.[0]?.trim() ?? '';
}

/** The first phone calls the second one, which lets it hear something before the answer. */
function early(codecs?: readonly string[], settings: Parameters<Rig['store']['users']['update']>[1] = {}) {
  const all = company();
  all.rig.store.users.update(all.ids[1], settings);
  const { rig, exts } = all;
  const called = codecs === undefined ? all.phones[1] : rig.phone(1, { codecs, device: 'other' });
  if (codecs !== undefined) {
    all.phones[1].register(0);
    called.register();
  }
  rig.pass(0);
  const call = all.phones[0].dial(exts[1], RELIABLY);
  rig.pass(0);
  called.call.session.provisional(183, { body: sdp(codecs?.[0] === 'PCMA' ? 'PCMA' : 'PCMU') });
  rig.pass(0);
  expect(call.log).toEqual(['183']);
  const callId = rig.exchange.liveCalls(rig.customer.customerId)[0]?.record.id ?? 0;
  return { ...all, call, called, callId };
}

function update(rig: Rig, call: TestCall, body: string): Outcome | undefined {
  const outcomes: Outcome[] = [];
  call.session.request('UPDATE', { body }, (outcome) => outcomes.push(outcome));
  rig.pass(0);
  return outcomes[0];
}

const said = (outcome: Outcome | undefined): string => (outcome?.response && bodyText(outcome.response)) ?? '';

function quiet(rig: Rig): void {
  rig.pass(100_000);
  expect(rig.exchange.stats).toMatchObject({ clientTransactions: 0, serverTransactions: 0, sessions: 0, calls: 0 });
}

describe('a caller whose call rings', () => {
  it('may hold before the answer: the call is on hold as soon as somebody answers, and is resumed as usual', () => {
    const { rig, call, called, callId } = early();
    const held = update(rig, call, sdp('PCMU', 'sendonly'));
    expect(held?.status).toBe(200);
    expect(said(held)).toContain('a=recvonly');
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.ringing RINGING']);
    called.call.answer();
    rig.pass(0);
    expect(rig.eventNames().slice(2)).toEqual(['call.connected CONNECTED', 'call.hold ON_HOLD']);
    expect(stateOf(rig, callId)).toBe(5);
    call.reofferRaw(sdp('PCMU', 'sendrecv', 10));
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.unhold CONNECTED');
    call.hangUp();
    quiet(rig);
  });

  it('may resume before the answer, too: nobody has heard of a hold', () => {
    const { rig, call, called } = early();
    update(rig, call, sdp('PCMU', 'inactive'));
    update(rig, call, sdp('PCMU', 'sendrecv', 10));
    called.call.answer();
    rig.pass(0);
    expect(rig.eventNames().slice(2)).toEqual(['call.connected CONNECTED']);
  });

  it('may take another codec: the one who answers is asked to follow', () => {
    const { rig, call, called } = early();
    const changed = update(rig, call, sdp('PCMA'));
    expect([changed?.status, audioIn(said(changed))]).toEqual([200, 'm=audio 4000 RTP/AVP 8']);
    called.call.answer();
    rig.pass(0);
    expect(called.wire.slice(-5)).toEqual(['< ACK', '< INVITE', '> 100 INVITE', '> 200 INVITE', '< ACK']);
    expect(call.log).toEqual(['183', '200']);
    call.hangUp();
    quiet(rig);
  });

  it('keeps the codec in which it hears the called side where it offers several', () => {
    const { rig, call } = early(['PCMA']);
    const both = sdp('PCMU').replace('AVP 0', 'AVP 0 8').replace('a=sendrecv', 'a=rtpmap:8 PCMA/8000\r\na=sendrecv');
    expect(audioIn(said(update(rig, call, both)))).toBe('m=audio 4000 RTP/AVP 8');
  });

  it('that offers nothing we carry gets 488, and goes on ringing as before', () => {
    const { rig, call, called, callId } = early();
    expect(update(rig, call, sdp('iLBC'))?.status).toBe(488);
    expect(stateOf(rig, callId)).toBe(3);
    called.call.answer();
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
  });

  it('that offers before it has an answer gets 500 and when to try again; the called phone hears nothing of it', () => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1], RELIABLY);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    const before = phones[1].wire.length;
    const refused = update(rig, call, sdp('PCMU', 'sendonly'));
    expect(refused?.status).toBe(500);
    expect(Number(refused?.response?.headers.get('Retry-After'))).toBeLessThanOrEqual(10);
    expect(phones[1].wire.length).toBe(before);
  });

  it('whose call is answered by another phone than the one it hears, in another codec, is asked to follow', () => {
    const all = company();
    const { rig, phones, exts } = all;
    const second = rig.phone(1, { codecs: ['PCMU'], device: 'second' });
    second.register();
    rig.pass(0);
    const call = phones[0].dial(exts[1], RELIABLY);
    rig.pass(0);
    phones[1].call.session.provisional(183, { body: sdp('PCMA') });
    rig.pass(0);
    second.call.session.accept(sdp('PCMU'));
    rig.pass(0);
    expect(phones[0].wire.slice(-4)).toEqual(['< INVITE', '> 100 INVITE', '> 200 INVITE', '< ACK']);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    call.hangUp();
    quiet(rig);
  });

  it('reaches the voicemail in what was agreed on with the phone that it heard', () => {
    const { rig, call, called } = early(['PCMA'], { final_dst_type: 'V', final_dst_id: 0 });
    called.call.session.reject(486);
    rig.pass(1_000);
    expect(call.log.slice(0, 2)).toEqual(['183', '200']);
    expect(call.session.state).toBe('confirmed');
  });
});

describe('a called phone that rings', () => {
  /** It numbers its provisionals, so that the exchange has its answer before it picks up. */
  function ringsReliably(called: TestPhone, rig: Rig): void {
    called.call.session.provisional(183, {
      body: sdp('PCMU'),
      headers: [
        ['Require', '100rel'],
        ['RSeq', '1'],
      ],
    });
    rig.pass(0);
  }

  it('may hold before it answers', () => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    ringsReliably(phones[1], rig);
    const held = update(rig, phones[1].call, sdp('PCMU', 'sendonly'));
    expect([held?.status, said(held).includes('a=recvonly')]).toEqual([200, true]);
    phones[1].call.session.accept('');
    rig.pass(0);
    expect(rig.eventNames().slice(2)).toEqual(['call.connected CONNECTED', 'call.hold ON_HOLD']);
    phones[1].call.reofferRaw(sdp('PCMU', 'sendrecv', 10));
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.unhold CONNECTED');
    call.hangUp();
    quiet(rig);
  });

  it('may take another codec, in which the caller is answered', () => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    ringsReliably(phones[1], rig);
    expect(audioIn(said(update(rig, phones[1].call, sdp('PCMA'))))).toBe('m=audio 4000 RTP/AVP 8');
    phones[1].call.session.accept(sdp('PCMU'));
    rig.pass(0);
    expect(call.session.state).toBe('confirmed');
    // The caller had been told of the first one with the 183: it is asked to follow.
    expect(phones[0].wire.slice(-4)).toEqual(['< INVITE', '> 100 INVITE', '> 200 INVITE', '< ACK']);
  });

  it('that offers before it has answered gets 491', () => {
    const { rig, phones, exts } = company();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    expect(update(rig, phones[1].call, sdp('PCMU', 'sendonly'))?.status).toBe(491);
    phones[1].call.answer();
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
  });

  it('and holds, but is not the one that answers, holds nobody', () => {
    const { rig, phones, exts } = company();
    const second = rig.phone(1, { device: 'second' });
    second.register();
    rig.pass(0);
    phones[0].dial(exts[1]);
    rig.pass(0);
    ringsReliably(phones[1], rig);
    update(rig, phones[1].call, sdp('PCMU', 'sendonly'));
    second.call.answer();
    rig.pass(0);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
  });
});

describe('a party that holds and lists its codecs in another order', () => {
  it('stays in the codec in use, so that nobody has to follow', () => {
    const { rig, phones, exts } = company();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    const before = phones[0].wire.length;
    const turned = sdp('PCMA', 'sendonly')
      .replace('AVP 8', 'AVP 8 0')
      .replace('a=send', 'a=rtpmap:0 PCMU/8000\r\na=send');
    expect(audioIn(said(update(rig, phones[1].call, turned)))).toBe('m=audio 4000 RTP/AVP 0');
    expect(phones[0].wire.length).toBe(before);
  });
});

describe('a party that talks and takes another codec', () => {
  it.each(['INVITE', 'UPDATE'])('by %s makes the other one follow', (method) => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    const both = sdp('PCMU').replace('AVP 0', 'AVP 0 8').replace('a=sendrecv', 'a=rtpmap:8 PCMA/8000\r\na=sendrecv');
    phones[1].call.session.accept(both);
    rig.pass(0);
    const before = phones[1].wire.length;
    if (method === 'INVITE') call.reofferRaw(sdp('PCMA'));
    else update(rig, call, sdp('PCMA'));
    rig.pass(0);
    expect(phones[1].wire.slice(before)).toEqual(['< INVITE', '> 100 INVITE', '> 200 INVITE', '< ACK']);
    call.hangUp();
    quiet(rig);
  });
});
