// The echo test as a story: one dials *43 and hears oneself.
import { describe, expect, it } from 'vitest';
import { attended } from './attendants.rig.ts';

describe('the echo test', () => {
  it('answers at once, says what it is, and then says back what it hears until the caller hangs up', () => {
    const { rig, phones, sounds, told, cdrs, live, over } = attended();
    const call = phones[0].dial('*43');
    rig.pass(0);
    expect(call.log).toEqual(['200']);
    expect(live()).toMatchObject([{ state: 4, context: 'TEST_CALL', dst: '*43', dst_name: 'Echo test' }]);
    rig.pass(10_000);
    expect(sounds).toEqual(['prompt/echo-test 0', 'echo 4']);
    call.hangUp();
    rig.pass(0);
    expect(told()).toEqual(['initial *43', 'connected *43', 'hangup *43']);
    expect(cdrs()).toMatchObject([
      { context: 'TEST_CALL', disposition: 'CONNECTED', type: 'I', billsec: 10, t_cause: 'Normal clearing' },
    ]);
    over();
  });

  it('ends for whoever hangs up while it still speaks', () => {
    const { rig, phones, sounds, over } = attended();
    const call = phones[0].dial('*43');
    rig.pass(1000);
    call.hangUp();
    over();
    expect(sounds).toEqual(['prompt/echo-test 0']);
  });

  it('goes on through a hold, and ends by order of the exchange', () => {
    const { rig, phones, live, over } = attended();
    const call = phones[0].dial('*43');
    rig.pass(1000);
    call.reoffer('sendonly');
    rig.pass(0);
    expect(live()).toMatchObject([{ state: 5 }]);
    call.reoffer('sendrecv');
    rig.pass(0);
    expect(live()).toMatchObject([{ state: 4 }]);
    rig.exchange.hangUpAll();
    rig.pass(0);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('is for users alone: outside, *43 is a number that nobody has', () => {
    const { rig, network, over } = attended();
    const call = network.dial('*43');
    rig.pass(0);
    expect(call.log).toEqual(['404']);
    over();
  });
});
