// How a seeded company is reached: groups, queues, menus, rooms, numbers and rules. Knows no person's name and no past.

import { type Furnishing, make, userAt } from './furnish.ts';
import { outsideNumber } from './numbers.ts';

/** Makes the settings of an account whose users are there; `numbers` are those of queue, group, menu, room and campaign. */
export function seedSettings(furnishing: Furnishing): void {
  const { ground, numbers, users } = furnishing;
  const [ofQueue, ofGroup, ofMenu, ofRoom, ofCampaign] = numbers;
  const moh = make(furnishing, 'mohs', { name: 'Standard', locked: true });
  make(furnishing, 'mohs', { name: 'Piano', locked: false });
  seedGroups(furnishing);
  const members = [...new Set([1, 2, 3].map((index) => userAt(furnishing, index)))];
  const sales = make(furnishing, 'ringgroups', {
    ...{ name: 'Sales', users: members, ddis: given(ofGroup), strategy: 'ring_all', ring_time: 25, moh_id: moh.id },
    ...{ final_dst_type: 'H', cli_prefix: true },
  });
  make(furnishing, 'ringgroups', { name: 'Back office', users: members.toReversed(), strategy: 'hunt' });
  const support = make(furnishing, 'queues', {
    ...{ name: 'Support', users: members.map((id) => ({ id, status: true })), ddis: given(ofQueue), moh_id: moh.id },
    ...{ ring_strategy: 'longest_idle', wrap_up_time: 10, pos_ann: true, hash_to_exit: true, monitor: 'A' },
    ...{ final_dst_type: 'R', final_dst_id: sales.id },
  });
  make(furnishing, 'queues', {
    name: 'Orders',
    ring_strategy: 'round_robin',
    final_dst_type: 'Q',
    final_dst_id: support.id,
  });
  const menu = make(furnishing, 'ivrs', {
    name: 'Main menu',
    ddis: given(ofMenu),
    final_dst_type: 'Q',
    final_dst_id: support.id,
    ext_dialing: true,
  });
  ground.store.ivrs.update(menu.id, {
    one: `R:${sales.id}`,
    two: `Q:${support.id}`,
    zero: `U:${users[0]?.user_id ?? 0}`,
    sounds: 'welcome',
  });
  make(furnishing, 'conferences', {
    name: 'Weekly',
    pin: '2580',
    pin_pstn: '4711',
    ann_join_leave: true,
    ddis: given(ofRoom),
  });
  make(furnishing, 'conferences', { name: 'Board', pin: '1470', pin_pstn: '3690', monitor: true });
  make(furnishing, 'routingrules', { pos: 1, direction: 'out', destination: [outsideNumber(66)], action: 'block' });
  seedCampaign(furnishing, ofCampaign);
  seedWaysOn(furnishing, sales.id);
}

/**
 * Where callers go on whom a user does not answer, by the user's place among the others: most have voicemail, `R` is the ring
 * group. Who scripts the phones of the first three finds that nothing follows a call.
 */
const WAYS_ON = ['H', 'H', 'H', 'V', 'V', 'R', 'V'] as const;
/** The first of those whose calls are recorded, and the one whose calls go on to its mobile. */
const RECORDED = 4;
const FOLLOWED = 6;
/** Nobody else in the seed world has it. */
const MOBILE = outsideNumber(67);

function seedWaysOn({ ground, users }: Furnishing, groupId: number): void {
  users.forEach(({ user_id }, index) => {
    const final_dst_type = WAYS_ON[index % WAYS_ON.length] ?? 'H';
    ground.store.users.update(user_id, {
      final_dst_type,
      final_dst_id: final_dst_type === 'R' ? groupId : final_dst_type === 'V' ? user_id : 0,
      ...(index === RECORDED ? { monitor: 'A' } : {}),
      ...(index === FOLLOWED ? { fm: true, fm_targets: [MOBILE] } : {}),
    });
  });
}

function seedGroups(furnishing: Furnishing): void {
  const { ground, users } = furnishing;
  for (const [name, color] of [
    ['Sales', '#1f77b4'],
    ['Support', '#2ca02c'],
  ] as const) {
    make(furnishing, 'usergroups', { name, color });
    make(furnishing, 'usergrouppolicies', { name: `${name} policy`, color });
  }
  make(furnishing, 'queuegroups', { name: 'Front office' });
  const groups = [...ground.store.usergroups.list(ground.customerId)];
  const pickup = make(furnishing, 'pickupgroups', { name: 'First floor' });
  users.forEach(({ user_id }, index) => {
    const group = groups[index % groups.length]?.id ?? 0;
    ground.store.users.update(user_id, { groups: [group], pickup_group_id: pickup.id });
  });
  ground.store.pickupgroups.update(pickup.id, { users: users.length });
}

function seedCampaign(furnishing: Furnishing, number: string | undefined): void {
  const { ddis } = furnishing.ground.store;
  const campaign = make(furnishing, 'campaigns', { name: 'Spring mailing', url: 'https://spring.example/', rules: [] });
  const [tracked] = number === undefined ? [] : ddis.find('e164', number);
  if (tracked !== undefined)
    ddis.update(tracked.id, { campaign_id: Number(campaign.id), target_type: 1, target_id: userAt(furnishing, 0) });
}

function given(number: string | undefined): string[] {
  return number === undefined ? [] : [number];
}
