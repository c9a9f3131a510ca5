// A company that is larger than the seed's: users at simulated phones, ring groups, queues, menus and rooms, each with a number. Knows no call.
import { codeOf, type DestinationType, targetTypeCodes } from '../contract/codes.ts';
import { Random } from '../kernel/random.ts';
import { utcText } from '../kernel/time.ts';
import { make } from '../store/seed/furnish.ts';
import { ownNumber } from '../store/seed/numbers.ts';
import type { World } from '../world.ts';

const CUSTOMER = 1;
const FIRST_EXTENSION = 2001;
/** Numbers are taken from accounts that nobody makes. */
const FIRST_LENT_ACCOUNT = 100;
const NUMBERS_PER_ACCOUNT = 12;
const FLOORS = 5;
const MEMBERS = 6;

/** Adds users until the first account has so many, and five of each kind of place that callers reach by a number. */
export function enlarge(world: World, users: number, nowMs: number): void {
  const { store } = world;
  const ground = { store, customerId: CUSTOMER, nowMs };
  const numbers = lentNumbers();
  const number = (letter: DestinationType, id: number): void => {
    const target_type = codeOf(targetTypeCodes, letter);
    make({ ground }, 'ddis', { e164: numbers.next().value, target_type, target_id: id });
  };
  const secrets = new Random('large company');
  const staff: number[] = [];
  for (let index = store.users.count(CUSTOMER); index < users; index += 1) {
    const ext = String(FIRST_EXTENSION + index);
    const email = `user-${ext}@large.example`;
    const user = make({ ground }, 'users', {
      ...{ email, ext, first_name: 'User', last_name: ext, active: true, created_at: utcText(nowMs) },
      ...{ final_dst_type: 'V' },
    });
    const account = { id: user.id, email, password: secrets.token(14), apiKey: null, role: 'agent' as const };
    const sipUsername = `${CUSTOMER}-${ext}`;
    const sipPassword = secrets.token(16);
    store.accounts.insert(CUSTOMER, { ...account, sipUsername, sipPassword });
    number('U', user.id);
    const displayName = `User ${ext}`;
    world.phones.add({ customerId: CUSTOMER, userId: user.id, ext, sipUsername, sipPassword, displayName });
    staff.push(user.id);
  }
  for (let floor = 0; floor < FLOORS; floor += 1) furnishFloor({ ground, staff, number }, floor);
}

interface Building {
  readonly ground: Parameters<typeof make>[0]['ground'];
  readonly staff: readonly number[];
  readonly number: (letter: DestinationType, id: number) => void;
}

/** A ring group, a queue, and a menu that leads to both. */
function furnishFloor({ ground, staff, number }: Building, floor: number): void {
  const on = (from: number): number[] =>
    Array.from({ length: MEMBERS }, (_, seat) => staff[(from + seat) % staff.length] ?? 0);
  const group = make({ ground }, 'ringgroups', {
    ...{ name: `Floor ${floor}`, users: on(floor * 20), strategy: floor % 2 === 0 ? 'hunt' : 'ring_all' },
    ...{ ring_time: 15, final_dst_type: 'H' },
  });
  const queue = make({ ground }, 'queues', {
    ...{ name: `Queue ${floor}`, users: on(floor * 20 + 10).map((id) => ({ id, status: true })) },
    ...{
      ring_strategy: 'longest_idle',
      ring_time: 15,
      max_wait_time: 120,
      final_dst_type: 'R',
      final_dst_id: group.id,
    },
  });
  const menu = make({ ground }, 'ivrs', { name: `Menu ${floor}`, final_dst_type: 'Q', final_dst_id: queue.id });
  ground.store.ivrs.update(menu.id, { one: `R:${group.id}`, two: `Q:${queue.id}` });
  number('R', group.id);
  number('Q', queue.id);
  number('I', menu.id);
}

function* lentNumbers(): Generator<string, string> {
  for (let account = FIRST_LENT_ACCOUNT; ; account += 1)
    for (let index = 0; index < NUMBERS_PER_ACCOUNT; index += 1) yield ownNumber(account, index);
}
