// Calls that come over the number of a campaign, as stories.
import { describe, expect, it } from 'vitest';
import { company } from './company.rig.ts';

function tracking() {
  const stage = company();
  const { store, customer } = stage.rig;
  const { customerId } = customer;
  const [own = '', other = ''] = customer.numbers;
  const [campaign] = store.campaigns.list(customerId);
  const [ddi] = store.ddis.find('e164', own, customerId);
  if (campaign === undefined || ddi === undefined) expect.fail('the seed has no campaign');
  store.ddis.update(ddi.id, { campaign_id: Number(campaign.id) });
  store.trackedcalls.clear();
  return { ...stage, store, customerId, campaign, ddi, own, other };
}

describe('a call to a number in a campaign', () => {
  it('leaves a tracked call with its campaign, its number and its record', () => {
    const { rig, network, phones, store, customerId, campaign, ddi, own } = tracking();
    const calling = network.dial(own, { from: '<sip:+442079469999@network>' });
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(5000);
    calling.hangUp();
    rig.pass(0);
    const cdr = [...store.cdrs.list(customerId)].at(-1);
    expect([...store.trackedcalls.list(customerId)]).toMatchObject([
      {
        ...{ name: campaign.name, e164: own, uri: ddi.uri, created_at: cdr?.calldate, target_type: 1 },
        ...{ cdr_id: cdr?.id, campaign_id: Number(campaign.id), target_id: ddi.target_id },
      },
    ]);
    expect(cdr).toMatchObject({ src: '+442079469999', billsec: 5 });
  });

  it('leaves one when nobody answers, too', () => {
    const { rig, network, phones, store, own } = tracking();
    const calling = network.dial(own);
    rig.pass(0);
    phones[0].call.session.reject(486);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('486');
    expect(store.trackedcalls.size).toBe(1);
  });
});

describe('a call that no campaign brought', () => {
  it('leaves none: another number, a user who calls, a number that was taken out', () => {
    const { rig, network, phones, store, customerId, own, other, ddi } = tracking();
    const before = [...store.cdrs.list(customerId)].length;
    const calling = network.dial(other);
    rig.pass(0);
    calling.hangUp();
    rig.pass(0);
    const inside = phones[1].dial(own);
    rig.pass(0);
    inside.hangUp();
    rig.pass(0);
    store.ddis.update(ddi.id, { campaign_id: 0 });
    network.dial(own);
    rig.pass(0);
    phones[0].call.session.reject(486);
    rig.pass(1000);
    expect([...store.cdrs.list(customerId)].length).toBe(before + 3);
    expect(store.trackedcalls.size).toBe(0);
  });
});
