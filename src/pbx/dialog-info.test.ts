// The lamps of colleagues as stories: who may watch whom, and what a watcher is told while an extension makes and gets calls.
import { describe, expect, it } from 'vitest';
import { makeGroup, watched } from './ring-group.rig.ts';
import { Subscriber } from './subscriber.rig.ts';

/** The third user watches the second one. */
function watching() {
  const all = watched();
  const lamp = new Subscriber(all.rig, 2);
  lamp.subscribe(all.exts[1], 3600, 'dialog');
  /** `version direction state remote` of each dialog that the newest documents named; `version -` of none. */
  const seen = (from = 0) =>
    lamp.bodies.slice(from).map((body) => {
      const version = /version="(\d+)" state="full"/.exec(body)?.[1];
      const dialogs = [...body.matchAll(/direction="(\w+)"><state>(\w+)<\/state><remote><identity[^>]*>sip:([^@]+)@/g)];
      return `${version} ${dialogs.map(([, direction, state, remote]) => `${direction} ${state} ${remote}`).join(', ') || '-'}`;
    });
  return { ...all, lamp, seen };
}

describe('who watches an extension', () => {
  it('is told at once that it has no call, and then of each step of one', () => {
    const { rig, phones, exts, lamp, seen, over } = watching();
    expect(lamp.heard).toEqual(['200', 'active']);
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    call.hangUp();
    rig.pass(0);
    const from = exts[0];
    expect(seen()).toEqual([
      ...['0 -', `1 recipient trying ${from}`, `2 recipient early ${from}`, `3 recipient confirmed ${from}`, '4 -'],
    ]);
    lamp.subscribe(exts[1], 0, 'dialog');
    over();
  });

  it('gets a document of RFC 4235, whatever the names are', () => {
    const all = watched();
    const { rig, exts, phones, ids, over } = all;
    all.set(1, { first_name: 'Tom & "Jerry"', last_name: '<b>' });
    const lamp = new Subscriber(rig, 2);
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    lamp.subscribe(exts[0], 3600, 'dialog');
    const [id] = rig.exchange.liveCalls(rig.customer.customerId).map(({ record }) => record.id);
    expect(ids).toHaveLength(3);
    expect(lamp.bodies).toEqual([
      `<?xml version="1.0" encoding="UTF-8"?>
<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="0" state="full" entity="sip:${exts[0]}@pbx.example">
<dialog id="${id}-initiator" direction="initiator"><state>early</state><remote><identity display="Tom &amp; &quot;Jerry&quot; &lt;b&gt;">sip:${exts[1]}@pbx.example</identity></remote></dialog>
</dialog-info>
`,
    ]);
    lamp.subscribe(exts[0], 0, 'dialog');
    call.hangUp();
    over();
  });

  it('is told of several calls, and that one has been transferred away', () => {
    const { rig, phones, exts, seen, over, lamp } = watching();
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    const outside = phones[1].dial('+442079460123');
    rig.pass(0);
    expect(seen(2).at(-1)).toBe(`3 recipient confirmed ${exts[0]}, initiator trying +442079460123`);
    outside.hangUp();
    rig.pass(0);
    phones[1].calls[0]?.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(seen().at(-1)).toBe(`${seen().length - 1} -`);
    call.hangUp();
    lamp.subscribe(exts[1], 0, 'dialog');
    over();
  });

  it('sees a member of a ring group ring, and the caller of one call once', () => {
    const { rig, phones, exts, seen, lamp, over } = watching();
    const group = makeGroup({ rig }, { users: [rig.customer.users[0]?.user_id ?? 0] });
    expect(group.number).toBe(790);
    const call = phones[1].dial('790');
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(0);
    expect(seen().at(-1)).toBe(`${seen().length - 1} initiator confirmed 790`);
    call.hangUp();
    rig.pass(0);
    lamp.subscribe(exts[1], 0, 'dialog');
    over();
  });
});

describe('a watcher', () => {
  it('of nobody, and of somebody of another account, is refused', () => {
    const { rig, over } = watched();
    const lamp = new Subscriber(rig, 2);
    lamp.subscribe('7799', 3600, 'dialog');
    expect(lamp.heard).toEqual(['404']);
    over();
  });

  it('of a user who is removed is told that there is no such extension any more', () => {
    const { rig, ids, lamp, exts } = watching();
    rig.exchange.forgetUser(ids[1]);
    rig.pass(0);
    expect(lamp.heard).toEqual(['200', 'active', 'terminated']);
    expect(exts).toHaveLength(3);
    expect(rig.exchange.stats).toMatchObject({ subscriptions: 0 });
  });
});
