// Barging in as stories: a supervisor dials a code, hears a call of a colleague, and goes with it; the call knows nothing of it.
import { describe, expect, it } from 'vitest';
import { watching } from './barge.rig.ts';

describe('a supervisor', () => {
  it('listens in on a call as a call of its own; the watched one is as it was', () => {
    const { rig, exts, ids, callId, supervisor, live, told, cdrs, party, supervision, disturbed, over } = watching();
    expect(supervisor.session.state).toBe('confirmed');
    const watched = live().find(({ id }) => id === callId);
    expect(live()).toHaveLength(2);
    expect(watched).toMatchObject({ state: 4, src: exts[0], dst: exts[1], referred_by: '' });
    expect(live()[1]).toMatchObject({
      ...{ state: 4, src: exts[2], src_id: String(ids[2]), dst: `*33${exts[0]}`, dst_id: '', dst_name: 'Barge' },
      ...{ parent_id: 0, context: watched?.context },
    });
    const ownId = live()[1]?.id;
    rig.pass(5000);
    expect(disturbed()).toEqual([]);
    supervisor.hangUp();
    rig.pass(1000);
    expect(disturbed()).toEqual([]);
    expect(live()).toMatchObject([{ id: callId, state: 4, src: exts[0], dst: exts[1] }]);
    party.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      ...[`initial ${exts[1]}`, `connected ${exts[1]}`],
      ...[`initial *33${exts[0]}`, `connected *33${exts[0]}`, `hangup *33${exts[0]}`],
      `hangup ${exts[1]}`,
    ]);
    expect(cdrs()).toMatchObject([
      { live_id: ownId, src: exts[2], dst: `*33${exts[0]}`, type: 'I', disposition: 'CONNECTED', billsec: 5 },
      { live_id: callId, src: exts[0], dst: exts[1], disposition: 'CONNECTED', billsec: 7 },
    ]);
    expect(supervision).toEqual([`began ${callId} ${exts[0]} nobody`, `ended ${callId} ${exts[0]} nobody`]);
    over();
  });

  it('is hung up on when the watched call ends', () => {
    const { rig, callId, call, supervisor, told, exts, over } = watching();
    call.hangUp();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().slice(-2)).toEqual([`hangup ${exts[1]}`, `hangup *33${exts[0]}`]);
    expect(rig.events.at(-1)).toMatchObject({ cause: 'Normal clearing', terminatedBy: null });
    expect(rig.exchange.liveCall(callId)).toBeUndefined();
    over();
  });
});
