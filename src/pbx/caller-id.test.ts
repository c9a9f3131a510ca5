// Whom phones show, as stories: the own number, calls for help, national numbers, contacts' names, and the header for auto-answer.
import { describe, expect, it } from 'vitest';
import { codeOf, contactTypeCodes } from '../contract/codes.ts';
import { ContactSchema } from '../contract/resources/settings.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import type { Stored } from '../store/stored.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { autoAnswerHeader } from './auto-answer.ts';
import { shownByForwarding } from './caller-id.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

function desk() {
  const all = watched();
  const { rig, phones, network } = all;
  const contact = (members: Partial<Stored['contacts']>) =>
    rig.store.contacts.insert(rig.customer.customerId, {
      ...(emptyRecord(ContactSchema, '') as unknown as Stored['contacts']),
      type: codeOf(contactTypeCodes, 'contact'),
      ...members,
      id: rig.store.contacts.nextId(rig.customer.customerId),
    });
  const header = (name: string, call = network.call) => call.session.invite.headers.get(name) ?? '';
  /** Somebody outside calls the second user. */
  const ringIn = (from: string) => {
    const call = network.dial(rig.customer.numbers[1] ?? '', { from });
    rig.pass(0);
    return { call, shown: header('From', phones[1].call) };
  };
  return { ...all, contact, header, ringIn };
}

describe('calls to the public network', () => {
  it('show the own number, or the extension of who has none', () => {
    const { rig, phones, set, header } = desk();
    set(0, { cli: '442079460777' });
    phones[0].dial('+442079460123');
    rig.pass(0);
    expect(header('From')).toContain('<sip:+442079460777@');
    set(0, { cli: '' });
    phones[0].dial('+442079460123');
    rig.pass(0);
    expect(header('From')).toContain('<sip:101@');
  });

  it.each(['112', '911', '999'])(
    'for help (%s) show where one can be called back, free of charge, and never hide',
    (number) => {
      const { rig, phones, network, set, cdrs, header } = desk();
      set(0, { cli: '+442079460777', esc_cli: '+442079460888' });
      const call = phones[0].dial(number);
      rig.pass(0);
      expect(network.call.session.invite.uri).toBe(`sip:${number}@network.phone.example;user=phone`);
      expect(header('From')).toContain('<sip:+442079460888@');
      network.call.answer();
      rig.pass(60_000);
      call.hangUp();
      rig.pass(0);
      expect(cdrs()).toMatchObject([{ dst: number, type: 'O', rate: 0, charge: 0, billsec: 60 }]);
    },
  );

  it('for help show the usual number of who has no other', () => {
    const { rig, phones, set, header } = desk();
    set(0, { cli: '+442079460777', esc_cli: '' });
    phones[0].dial('999');
    rig.pass(0);
    expect(header('From')).toContain('<sip:+442079460777@');
  });

  it.each([
    ['02079460123', '+442079460123'],
    ['79460123', '+442079460123'],
    ['0033140000000', '+33140000000'],
  ])('may be dialled as at home: %s', (dialled, number) => {
    const { rig, phones, network, live } = desk();
    phones[0].dial(dialled);
    rig.pass(0);
    expect(network.call.session.invite.uri).toBe(`sip:${number}@network.phone.example;user=phone`);
    expect(live()).toMatchObject([{ dst: number }]);
  });

  it('go by the dialplan of the user, and stay in the house when the number is of the house', () => {
    const { rig, phones, network, set } = desk();
    set(0, { cc: '1', area_code: '202' });
    phones[0].dial('5550123');
    rig.pass(0);
    expect(network.call.session.invite.uri).toContain('sip:+12025550123@');
    set(0, { cc: '44', area_code: '20' });
    phones[0].dial((rig.customer.numbers[1] ?? '').replace('+44', '0'));
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(1);
  });
});

describe('calls from the public network', () => {
  it.each(['+442079469999', '442079469999', '02079469999', '00442079469999'])(
    'show the name of the contact with the number, written %s, to users who want that',
    (written) => {
      const { set, contact, ringIn, live } = desk();
      const { id } = contact({ first_name: 'Ada', last_name: 'Byron', mobile_1: written });
      const from = '"ADA B" <sip:+442079469999@network>';
      const before = ringIn(from);
      expect(before.shown).toContain('"ADA B" <sip:+442079469999@');
      before.call.hangUp();
      set(1, { cnam: true });
      expect(ringIn(from).shown).toContain('"Ada Byron" <sip:+442079469999@');
      expect(live().at(-1)).toMatchObject({
        src_name: 'Ada Byron',
        src_id: `contact:${id}`,
        clid: '"Ada Byron" <+442079469999>',
      });
    },
  );

  it('show it to each who is rung, as that one wants it: members of a group, agents, whoever comes next, a transfer', () => {
    const { rig, ids, phones, network, set, contact, live } = desk();
    const { id } = contact({ first_name: 'Ada', last_name: 'Byron', tel: '+442079469999' });
    set(1, { cnam: true, final_dst_type: 'U', final_dst_id: ids[2] });
    const group = makeGroup({ rig }, { users: [ids[1], ids[2]] });
    const queue = makeQueue(rig, { agents: [ids[1], ids[2]] });
    const [ddi] = rig.store.ddis.find('e164', rig.customer.numbers[0] ?? '');
    const arrive = (target_type: number, target_id: number) => {
      rig.store.ddis.update(ddi?.id ?? '', { target_type, target_id });
      const call = network.dial(rig.customer.numbers[0] ?? '', { from: '"ADA B" <sip:+442079469999@network>' });
      rig.pass(0);
      return call;
    };
    const seenBy = (index: 1 | 2): string => phones[index].call.session.invite.headers.get('From') ?? '';
    const named = { src_name: 'Ada Byron', src_id: `contact:${id}`, clid: '"Ada Byron" <+442079469999>' };
    const unnamed = { src_name: 'ADA B', src_id: '', clid: '"ADA B" <+442079469999>' };
    for (const [letter, placeId] of [
      [3, group.id],
      [5, queue.id],
    ] as const) {
      const call = arrive(letter, placeId);
      expect([seenBy(1).split(' <')[0], seenBy(2).split(' <')[0]]).toEqual(['"Ada Byron"', '"ADA B"']);
      expect(live()).toMatchObject([unnamed, named, unnamed]);
      call.hangUp();
      rig.pass(0);
    }
    const onward = arrive(1, ids[1]);
    expect(live()).toMatchObject([named]);
    phones[1].call.session.reject(486);
    rig.pass(0);
    expect(seenBy(2)).toContain('"ADA B" <');
    expect(live()).toMatchObject([unnamed]);
    phones[2].call.answer();
    rig.pass(0);
    phones[2].call.send('REFER', [['Refer-To', '<sip:102@pbx.example>']]);
    rig.pass(0);
    expect(seenBy(1)).toContain('"Ada Byron" <');
    onward.hangUp();
    rig.pass(0);
  });

  it('keep the name of the network where the account knows no contact, or another account does', () => {
    const { rig, set, contact, ringIn } = desk();
    set(1, { cnam: true });
    contact({ company: 'Elsewhere', tel: '+442079469998' });
    const foreign = contact({ company: 'Foreign', tel: '+442079469999' });
    rig.store.contacts.delete(foreign.id);
    rig.store.contacts.insert(rig.other.customerId, {
      ...foreign,
      id: rig.store.contacts.nextId(rig.other.customerId),
    });
    expect(ringIn('"ADA B" <sip:+442079469999@network>').shown).toContain('"ADA B" <');
    expect(ringIn('"ADA B" <sip:anonymous@anonymous.invalid>').shown).toContain('"Anonymous" <');
    expect(ringIn('"ADA B" <sip:+442079469998@network>').shown).toContain('"Elsewhere" <');
  });
});

describe('the header for auto-answer', () => {
  it('is on calls to the phone, and not on the one that its user makes ring first', () => {
    const { rig, ids, exts, phones, set, header } = desk();
    set(1, { auto_answer_header: 'Alert-Info: <http://pbx.example>;info=alert-autoanswer' });
    phones[0].dial(exts[1]);
    rig.pass(0);
    expect(header('Alert-Info', phones[1].call)).toBe('<http://pbx.example>;info=alert-autoanswer');
    phones[0].call.hangUp();
    rig.pass(0);
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[1], to: exts[2] });
    rig.pass(0);
    expect(header('Alert-Info', phones[1].call)).toBe('');
  });

  it.each([
    ['Call-Info: <sip:x>;answer-after=0', [['Call-Info', '<sip:x>;answer-after=0']]],
    [' X-Auto : yes ', [['X-Auto', 'yes']]],
    ['', []],
    ['yes', []],
    ['Alert-Info:', []],
    ['Via: SIP/2.0/UDP a', []],
    ['Alert-Info: a\r\nRoute: <sip:b>', []],
    [`X-Long: ${'x'.repeat(300)}`, []],
  ])('is what may stand there of %j', (text, headers) => {
    expect(autoAnswerHeader(text)).toEqual(headers);
  });
});

describe('whom the next number sees', () => {
  it('of a forwarded call is as the user has it who is followed', () => {
    const { ids, set } = desk();
    const own = { kind: 'user' as const, userId: ids[1], number: '102', name: 'Own' };
    const caller = { number: '+442079469999', name: 'Far' };
    const place = { kind: 'public' as const, number: '+442079460123' };
    const shown = (fm_cli: 'R' | 'L') => {
      const user = set(1, { fm_cli, cli: '+442079460777' });
      return user && shownByForwarding(user, own, caller, place);
    };
    expect(shown('R')).toEqual(caller);
    expect(shown('L')).toEqual({ number: '+442079460777', name: 'Own' });
  });
});
