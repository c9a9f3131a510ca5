// REFERs that cannot be meant, come at the wrong time or from the wrong side, and what transferors wish to hear (RFC 3515, 3892, 4488).
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { attended } from './attendants/attendants.rig.ts';
import { makeConference } from './attendants/conference.rig.ts';
import { LETTERS, makeIvr } from './attendants/ivr.rig.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { company, stateOf, talking } from './company.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

const referTo = (target: string) => [['Refer-To', `<sip:${target}@pbx.example>`]] as const;

describe('a REFER that cannot be meant', () => {
  it.each([
    ['without Refer-To', [], 400],
    [
      'with two of them',
      [
        ['Refer-To', '<sip:1@x>'],
        ['Refer-To', '<sip:2@x>'],
      ],
      400,
    ],
    ['to something that is no URI', [['Refer-To', 'reception']], 400],
    ['to a web page', [['Refer-To', '<https://www.example.com>']], 416],
    ['that asks for another method', [['Refer-To', '<sip:1@x;method=BYE>']], 501],
    [
      'with two referrers',
      [
        ['Refer-To', '<sip:1@x>'],
        ['Referred-By', '<sip:1@x>'],
        ['Referred-By', '<sip:2@x>'],
      ],
      400,
    ],
  ] as const)('%s is refused', (_, headers, status) => {
    const { rig, call, callId } = talking();
    const outcome = call.send('REFER', headers);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
    expect(call.notified).toEqual([]);
    expect(stateOf(rig, callId)).toBe(4);
  });

  it.each([
    ['sips', (ext: string) => `<sips:${ext}@pbx.example>`],
    ['tel', (ext: string) => `<tel:${ext}>`],
    ['a user part with parameters', (ext: string) => `<sip:${ext};phone-context=pbx.example@pbx.example;user=phone>`],
    ['a method that is INVITE', (ext: string) => `<sip:${ext}@pbx.example;method=INVITE>`],
    ['no angle brackets', (ext: string) => `sip:${ext}@pbx.example`],
  ])('%s is taken', (_, written) => {
    const { rig, phones, exts, call } = talking();
    call.send('REFER', [['Refer-To', written(exts[2])]]);
    rig.pass(0);
    expect(phones[2].calls).toHaveLength(1);
  });
});

describe('a REFER at the wrong time', () => {
  it('while another one is being done is told to wait, whoever sends it', () => {
    const { rig, phones, exts, call } = talking();
    const [first, second] = [call.send('REFER', referTo(exts[2])), call.send('REFER', referTo(exts[2]))];
    const other = phones[1].call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect([first, second, other].map(([outcome]) => outcome?.status)).toEqual([202, 491, 491]);
    expect(phones[2].calls).toHaveLength(1);
    phones[2].call.answer();
    rig.pass(0);
    expect(phones[2].call.session.state).toBe('confirmed');
  });

  it('before the call is answered is told to wait', () => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    const outcome = call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 491 }]);
    phones[1].call.answer();
    rig.pass(0);
    expect(call.session.state).toBe('confirmed');
  });

  it('outside of any call leads nobody anywhere', () => {
    const { rig, phones, exts } = talking();
    const outcome = phones[0].request('REFER', 'sip:pbx.example', '<sip:pbx.example>', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 403 }]);
    expect(phones[2].calls).toEqual([]);
  });

  it('from the public network is declined', () => {
    const { rig, phones, exts, network } = company();
    const outsider = network.dial(rig.customer.numbers[0] ?? '');
    rig.pass(0);
    const called = phones.find(({ calls }) => calls.length > 0)?.call;
    called?.answer();
    rig.pass(0);
    const outcome = outsider.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 603 }]);
    expect(called?.session.state).toBe('confirmed');
  });
});

describe('what the transferor hears', () => {
  it('nothing, when it wants to hear nothing', () => {
    const { rig, phones, exts, call, callId } = talking();
    const accepted = call.send('REFER', [...referTo(exts[2]), ['Refer-Sub', 'false']]);
    rig.pass(0);
    expect(accepted).toMatchObject([{ status: 202 }]);
    expect(accepted[0]?.response?.headers.get('Refer-Sub')).toBe('false');
    phones[2].call.answer();
    rig.pass(0);
    expect(call.notified).toEqual([]);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[2] });
  });

  it('nothing more, when it does not know of the subscription any more', () => {
    const { rig, phones, exts, call } = talking();
    call.manual = true;
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    call.pending.shift()?.respond(481);
    rig.pass(0);
    phones[2].call.ring();
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(call.notified).toEqual(['SIP/2.0 100 Trying']);
    expect(call.session.state).toBe('confirmed');
  });

  it('that its subscription is over after three minutes, while the phone rings on', () => {
    const { rig, phones, exts, ids, call, callId } = talking();
    rig.store.users.update(ids[2], { ring_time: '400' });
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(181_000);
    expect(call.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing', 'SIP/2.0 180 Ringing']);
    expect(statesOf(rig)).toEqual(['active;expires=180', 'active;expires=180', 'terminated;reason=timeout']);
    phones[2].call.answer();
    rig.pass(0);
    expect(call.notified).toHaveLength(3);
    expect(rig.exchange.liveCall(callId)?.record).toMatchObject({ dst: exts[2], state: 4 });
  });

  it('who was called hears who transferred', () => {
    const { rig, phones, exts, call } = talking();
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(phones[2].call.session.invite.headers.get('Referred-By')).toBe(`<sip:${exts[0]}@pbx.example>`);
  });

  it.each([
    ['R', 1],
    ['L', 0],
  ] as const)('transfer_cli %s shows the one or the other', (transfer_cli, shown) => {
    const { rig, phones, exts, ids, call } = talking();
    rig.store.users.update(ids[0], { transfer_cli });
    call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(phones[2].call.session.invite.headers.get('From')).toContain(`<sip:${exts[shown]}@`);
  });
});

function statesOf({ journal }: ReturnType<typeof company>['rig']): string[] {
  return journal
    .query({ kind: 'sip.out' })
    .flatMap((entry) => /^NOTIFY [\s\S]*^Subscription-State: (\S+)/m.exec(String(dataOf(entry).text))?.[1] ?? []);
}

/** Somebody whom the exchange itself has answered, or for whom it rings: what its REFER is answered with. */
describe('a REFER from who talks to nobody', () => {
  type All = ReturnType<typeof attended>;
  const places: ReadonlyArray<readonly [where: string, prepare: (all: All) => string, status: number]> = [
    ['waits in a queue', ({ rig }) => String(makeQueue(rig, { agents: [] }).number), 403],
    ['waits in a queue whose agent rings', ({ rig, ids }) => String(makeQueue(rig, { agents: [ids[2]] }).number), 403],
    ['hears a menu', (all) => String(makeIvr(all).number), 403],
    ['is alone in a conference', ({ rig }) => String(makeConference(rig).confno), 403],
    ['is asked for a PIN', ({ rig }) => String(makeConference(rig, { pin: '1234' }).confno), 403],
    ['listens to its mailbox', () => '*97', 403],
    [
      'leaves a message',
      ({ exts, set }) => {
        set(1, { final_dst_type: 'V', dnd: true });
        return exts[1];
      },
      403,
    ],
    ['hears itself', () => '*43', 403],
    ['calls a phone that rings', ({ exts }) => exts[1], 491],
    ['calls a ring group', (all) => String(makeGroup(all).number), 491],
    [
      'hears that its party is looked for elsewhere',
      ({ exts, set }) => {
        set(1, { fm: true, fm_init_ring_time: 0, fm_targets: [exts[2]], fm_announcement_enabled: true });
        return exts[1];
      },
      491,
    ],
  ];

  it.each(places)('who %s: nobody is led anywhere, and its call goes on', (_, prepare, status) => {
    const all = attended();
    const { rig, phones, exts, live, over } = all;
    const call = phones[0].dial(prepare(all));
    rig.pass(20);
    for (const phone of phones.slice(1)) if (phone.calls.length > 0) phone.call.ring();
    rig.pass(0);
    const before = live();
    const outcome = call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
    expect(call.notified).toEqual([]);
    expect(live()).toEqual(before);
    expect(call.session.state).not.toBe('terminated');
    call.hangUp();
    over();
  });

  it.each<readonly [letter: keyof typeof LETTERS, idOf: (all: All) => number]>([
    ['Q', ({ rig }) => makeQueue(rig, { agents: [] }).id],
    ['I', (all) => makeIvr(all).id],
    ['C', ({ rig }) => makeConference(rig).id],
    ['V', ({ ids }) => ids[1]],
    ['U', ({ ids }) => ids[1]],
    ['R', (all) => makeGroup(all).id],
  ])('who comes from outside to %s: it is declined', (letter, idOf) => {
    const all = attended();
    const { rig, phones, network, exts, over } = all;
    const number = rig.customer.numbers[0] ?? '';
    const [ddi] = rig.store.ddis.find('e164', number);
    rig.store.ddis.update(ddi?.id ?? '', { target_type: LETTERS[letter], target_id: idOf(all) });
    const call = network.dial(number);
    rig.pass(20);
    for (const { calls } of phones) calls.at(-1)?.ring();
    rig.pass(0);
    const outcome = call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 603 }]);
    call.hangUp();
    over();
  });

  it('who was transferred to a menu: 403, and 491 while the phone rings that it chose', () => {
    const all = attended();
    const { rig, phones, exts, ids, over } = all;
    makeIvr(all, { two: `U:${ids[2]}` });
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    phones[1].call.send('REFER', referTo('850'));
    rig.pass(0);
    const atMenu = call.send('REFER', referTo(exts[1]));
    rig.pass(0);
    all.press(call, '2');
    const whileRinging = call.send('REFER', referTo(exts[1]));
    rig.pass(0);
    expect([atMenu, whileRinging].map(([outcome]) => outcome?.status)).toEqual([403, 491]);
    call.hangUp();
    over();
  });

  it('who is parked: 403', () => {
    const { rig, phones, call, exts } = talking();
    phones[1].call.send('REFER', referTo('*68'));
    rig.pass(0);
    const outcome = call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 403 }]);
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toHaveLength(1);
  });

  it('as an agent who hears something before its caller: 491', () => {
    const { rig, phones, exts, ids, over } = attended();
    makeQueue(rig, { agents: [ids[1]], agent_sounds: 'goodbye' });
    const call = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    const outcome = phones[1].call.send('REFER', referTo(exts[2]));
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 491 }]);
    call.hangUp();
    over();
  });

  it('cannot be meant there either', () => {
    const { rig, phones, over } = attended();
    const call = phones[0].dial('*43');
    rig.pass(0);
    const outcome = call.send('REFER', []);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 400 }]);
    call.hangUp();
    over();
  });
});
