// Session timers that the exchange wants by itself (RFC 4028), and with what it asks for passwords (RFC 8760): the settings of `Signalling`.
import { describe, expect, it } from 'vitest';
import type { SipMessage } from '../sip/message.ts';
import { causesOfMedia, endsOf } from './endings.rig.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from './exchange.rig.ts';
import { algorithmsOf, readSignalling, type Signalling } from './signalling.ts';

interface Company {
  readonly rig: Rig;
  readonly phones: readonly [TestPhone, TestPhone];
  dial(number: string): TestCall;
}

function company(signalling: Signalling): Company {
  const rig = makeRig(1, undefined, signalling);
  const phones = [rig.phone(0), rig.phone(1)] as const;
  for (const phone of phones) phone.register(86_400);
  rig.pass(0);
  return { rig, phones, dial: (number) => phones[0].dial(number) };
}

/** The first user talks to the second under a timer of ten minutes. */
function talking() {
  const all = company({ sessionExpiresS: 600 });
  const call = all.dial(all.rig.customer.users[1]?.ext ?? '');
  all.rig.pass(0);
  all.phones[1].call.ring();
  all.phones[1].call.answer();
  all.rig.pass(0);
  return { ...all, call, called: all.phones[1].call };
}

function quiet(rig: Rig): void {
  rig.pass(100_000);
  expect(rig.exchange.stats).toMatchObject({ clientTransactions: 0, serverTransactions: 0, sessions: 0, calls: 0 });
}

const expires = (message: SipMessage | undefined): string | undefined => message?.headers.get('Session-Expires');

describe('an exchange that wants session timers', () => {
  it('asks for one in its INVITE, brings one with its answer, and refreshes both legs by UPDATE', () => {
    const { rig, phones, call, called } = talking();
    expect(expires(called.session.invite)).toBe('600;refresher=uac');
    expect(call.answered?.headers.get('Require')).toBe('timer');
    expect(expires(call.answered)).toBe('600;refresher=uas');
    const before = phones.map(({ wire }) => wire.length);
    rig.pass(700_000);
    const refreshes = ['< UPDATE', '> 200 UPDATE', '< UPDATE', '> 200 UPDATE'];
    expect(phones.map(({ wire }, at) => wire.slice(before[at]))).toEqual([refreshes, refreshes]);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    call.hangUp();
    quiet(rig);
  });

  it('takes the time of a phone that wants a shorter one, and refuses one below 90 s with 422', () => {
    const { rig, phones } = company({ sessionExpiresS: 600 });
    const call = phones[0].dial('*43', { headers: [['Session-Expires', '120;refresher=uac']] });
    rig.pass(0);
    expect(expires(call.answered)).toBe('120;refresher=uac');
    call.hangUp();
    const brief = phones[0].dial('*43', { headers: [['Session-Expires', '89']] });
    rig.pass(0);
    expect(brief.log).toEqual(['422']);
    quiet(rig);
  });

  it.each([
    ['called phone', 1, 0],
    ['caller', 0, 1],
  ] as const)('notices that the %s is not there any more, and ends the call for the other one', (_, gone, left) => {
    const { rig, phones } = talking();
    rig.pass(100_000);
    phones[gone].deaf = true;
    rig.pass(231_999);
    expect(rig.eventNames().at(-1)).toBe('call.connected CONNECTED');
    rig.pass(1);
    expect(endsOf({ rig })).toEqual([['call.hangup', 'Session timer expired', 102, null]]);
    expect(causesOfMedia({ rig })).toEqual(['Session timer expired', 'Session timer expired']);
    const { ending } = phones[left].call;
    expect(ending?.by).toBe('remote-bye');
    const bye = ending?.by === 'remote-bye' ? ending.request : undefined;
    expect(bye?.headers.get('Reason')).toBe('Q.850;cause=102;text="Session timer expired"');
    expect([...rig.store.cdrs.list(rig.customer.customerId)].at(-1)).toMatchObject({
      t_cause: 'Session timer expired',
      disposition: 'CONNECTED',
      billsec: 332,
    });
    quiet(rig);
  });

  it('notices it on hold, too', () => {
    const { rig, phones, call } = talking();
    call.reoffer('sendonly');
    rig.pass(100_000);
    phones[0].deaf = true;
    rig.pass(300_000);
    expect(endsOf({ rig })).toEqual([['call.hangup', 'Session timer expired', 102, null]]);
    quiet(rig);
  });

  it('notices it of a caller that speaks to the exchange alone', () => {
    const { rig, phones, dial } = company({ sessionExpiresS: 600 });
    dial('*43');
    rig.pass(100_000);
    phones[0].deaf = true;
    rig.pass(300_000);
    expect(endsOf({ rig })).toEqual([['call.hangup', 'Session timer expired', 102, null]]);
    quiet(rig);
  });
});

describe('the settings', () => {
  it.each([
    [90, true],
    [86_400, true],
    [89, false],
    [86_401, false],
    [600.5, false],
    [Number.NaN, false],
  ])('a session timer of %d s: %s', (seconds, ok) => {
    expect(readSignalling({ sessionExpiresS: seconds }).ok).toBe(ok);
  });

  it.each([
    [undefined, ['MD5']],
    ['md5', ['MD5']],
    ['sha-256', ['SHA-256']],
    ['both', ['SHA-256', 'MD5']],
  ] as const)('digest %s asks with %j', (digest, algorithms) => {
    expect(algorithmsOf(digest)).toEqual(algorithms);
  });
});

describe('a phone that registers and calls', () => {
  it.each([
    ['md5', ['MD5'], 'MD5'],
    ['sha-256', ['SHA-256'], 'SHA-256'],
    ['both', ['SHA-256', 'MD5'], 'SHA-256'],
  ] as const)('where passwords are asked for with %s', (digest, asked, answered) => {
    const { rig, phones, dial } = company({ digest });
    expect(phones[0].wire).toEqual(['> REGISTER', '< 401 REGISTER', '> REGISTER', '< 200 REGISTER']);
    const call = dial('*43');
    rig.pass(0);
    expect(call.log).toEqual(['200']);
    const algorithm = (value: string) => /algorithm="?([\w-]+)/.exec(value)?.[1];
    const told = rig.journal.query({ kind: 'sip.out' }).map((entry) => JSON.stringify(entry.data));
    const challenge = told.find((text) => text.includes('407 Proxy Authentication Required')) ?? '';
    expect([...challenge.matchAll(/algorithm=\\?"?([\w-]+)/g)].map(([, name]) => name)).toEqual(asked);
    expect(algorithm(call.session.invite.headers.get('Proxy-Authorization') ?? '')).toBe(answered);
    call.hangUp();
    quiet(rig);
  });
});
