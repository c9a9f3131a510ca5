// A caller in a queue, as stories: what it hears, who is rung, who takes it, and how it is all told and written down.
import { describe, expect, it } from 'vitest';
import { queueing } from './queue.rig.ts';

describe('a caller in a queue', () => {
  it('hears music until an agent answers, and is connected from then on', () => {
    const { rig, phones, exts, ids, queue, live, states, sounds, told, cdrs, over } = queueing();
    const support = queue();
    const calling = phones[0].dial('690');
    rig.pass(0);
    expect(calling.log).toEqual(['200']);
    expect(live()[0]).toMatchObject({
      ...{ context: 'QUEUE', dst: '690', dst_name: 'Support', dst_id: String(support.id), queue_state: 'ringing' },
      ...{ src: exts[0], parent_id: 0, state: 1, connected_at: 0 },
    });
    expect(live().slice(1)).toMatchObject([
      { context: 'USER_LOCAL', dst: exts[1], parent_id: live()[0]?.id, queue_state: '' },
      { context: 'USER_LOCAL', dst: exts[2], parent_id: live()[0]?.id, queue_state: '' },
    ]);
    phones[1].call.ring();
    rig.pass(3000);
    expect(states()).toEqual(['690 3 ringing', `${exts[1]} 3`, `${exts[2]} 1`]);
    expect(sounds).toEqual(['music 0']);
    phones[1].call.answer();
    rig.pass(4000);
    expect(states()).toEqual(['690 4 connected', `${exts[1]} 4`]);
    expect(sounds).toEqual(['music 0', '- 3']);
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    calling.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      ...['initial 690', `initial ${exts[1]}`, `initial ${exts[2]}`, `ringing ${exts[1]}`, 'ringing 690'],
      ...[`connected ${exts[1]}`, `hangup ${exts[2]}`, 'connected 690', `hangup ${exts[1]}`, 'hangup 690'],
    ]);
    const queued = rig.events.filter((event) => event.kind === 'call' && event.dst.number === '690');
    expect(queued.map((event) => event.kind === 'call' && event.context)).toEqual(Array(4).fill('QUEUE'));
    const byDst = new Map(cdrs().map((cdr) => [cdr.dst, cdr]));
    const talked = { type: 'I', disposition: 'CONNECTED', duration: 7, billsec: 4, t_cause: 'Normal clearing' };
    expect(byDst.get('690')).toMatchObject({ ...talked, context: 'QUEUE', dst_id: String(support.id) });
    expect(byDst.get(exts[1])).toMatchObject({ ...talked, context: 'USER_LOCAL', dst_id: String(ids[1]) });
    expect(byDst.get(exts[2])).toMatchObject({ type: 'I', billsec: 0, t_cause: 'Call completed elsewhere' });
    over();
  });
});
