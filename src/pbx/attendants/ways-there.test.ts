// Other ways to where the exchange answers than dialling, as stories: transfer, click to call, a caller on hold, one without an offer.
import { describe, expect, it } from 'vitest';
import { LocalDescription } from '../../sip/offer-answer.ts';
import { attended } from './attendants.rig.ts';
import { makeIvr } from './ivr.rig.ts';

describe('a caller who is passed on', () => {
  it('to a menu hears it in the same live call, and its key leads on there', () => {
    const all = attended();
    const { rig, phones, exts, ids, press, live, sounds, cdrs, over } = all;
    makeIvr(all, { two: `U:${ids[2]}`, ring_time: 9 });
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(2000);
    const [before] = live();
    phones[1].call.send('REFER', [['Refer-To', '<sip:850@pbx.example>']]);
    rig.pass(1000);
    expect(live()).toMatchObject([{ id: before?.id, state: 4, context: 'IVR', dst: '850' }]);
    expect(sounds).toContain('prompt/ivr-menu 2');
    press(call, '2');
    phones[2].call.ring();
    rig.pass(1000);
    phones[2].call.answer();
    rig.pass(1000);
    expect(live()).toMatchObject([{ id: before?.id, state: 4, context: 'USER_LOCAL', dst: exts[2] }]);
    call.hangUp();
    rig.pass(0);
    expect(cdrs()).toMatchObject([{ live_id: before?.id, dst: exts[2], disposition: 'CONNECTED' }]);
    over();
  });

  it('to a menu, and by it to a phone that nobody answers within its ring_time, goes on from there', () => {
    const all = attended();
    const { rig, phones, exts, ids, press, set, messages, over } = all;
    makeIvr(all, { two: `U:${ids[2]}`, ring_time: 4 });
    set(2, { ring_time: '60', final_dst_type: 'V', final_dst_id: ids[2] });
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(2000);
    phones[1].call.send('REFER', [['Refer-To', '<sip:850@pbx.example>']]);
    rig.pass(1000);
    press(call, '2');
    rig.pass(4000 + 5400 + 3000);
    call.hangUp();
    rig.pass(0);
    expect(messages()).toMatchObject([{ extension_id: ids[2], duration: 3 }]);
    over();
  });
});

describe('a caller whom the exchange rings first', () => {
  it('speaks to a voicemail box like any other', () => {
    const { rig, phones, exts, ids, set, live, messages, over } = attended();
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1] });
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: exts[1] });
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(1000);
    expect(live()).toMatchObject([{ state: 4, context: 'VOICEMAIL', dst: exts[1] }]);
    rig.pass(4400 + 6000);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(messages()).toMatchObject([{ extension_id: ids[1], duration: 6, caller: exts[0] }]);
    over();
  });
});

describe('a caller', () => {
  it('who holds from its first offer on is on hold where the exchange answers', () => {
    const { rig, phones, live, over } = attended();
    const stream = { address: '127.0.0.1', port: 30_000, direction: 'sendonly' as const, codecs: ['PCMU'], dtmf: true };
    const call = phones[0].dial('*43', { body: new LocalDescription('1').offer(stream) });
    rig.pass(0);
    expect(live()).toMatchObject([{ state: 5, context: 'TEST_CALL' }]);
    call.hangUp();
    over();
  });

  it('who offers nothing is offered what we have, and answers in its ACK', () => {
    const { rig, phones, live, over } = attended();
    const call = phones[0].dial('*43', { body: null });
    rig.pass(0);
    expect(call.log).toContain('200');
    call.session.ack(call.sdp());
    rig.pass(1000);
    expect(live()).toMatchObject([{ state: 4, context: 'TEST_CALL', src_codec: 'PCMU' }]);
    call.hangUp();
    over();
  });
});
