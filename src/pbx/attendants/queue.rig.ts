// A small watched company with a queue whose agents are two of its users: what tests of queues start from.
import { codeOf, destinationTypeCodes, languageCodes, queueStrategyCodes } from '../../contract/codes.ts';
import { QueueSchema } from '../../contract/resources/queues.ts';
import { dataOf } from '../../kernel/journal.ts';
import { emptyRecord } from '../../store/records/empty-record.ts';
import type { Stored } from '../../store/stored.ts';
import type { Rig } from '../exchange.rig.ts';
import { attended } from './attendants.rig.ts';

type Queue = Stored['queues'];
export type Strategy = (typeof queueStrategyCodes.words)[number];

export interface QueueSettings extends Partial<Omit<Queue, 'ring_strategy' | 'users'>> {
  readonly strategy?: Strategy;
  /** Logged in; `out`: not. */
  readonly agents?: readonly number[];
  readonly out?: readonly number[];
  readonly next?: readonly [letter: 'U' | 'V' | 'R' | 'Q' | 'H', id: number];
}

/** A queue of the rig's first customer, at 690. Its agents are the second and the third user, unless it is said otherwise. */
export function makeQueue(rig: Rig, settings: QueueSettings = {}): Queue {
  const { customerId, users } = rig.customer;
  const {
    strategy = 'ring_all',
    agents = users.slice(1, 3).map(({ user_id }) => user_id),
    out = [],
    next,
    ...rest
  } = settings;
  const [letter, id] = next ?? ['H', 0];
  return rig.store.queues.insert(customerId, {
    ...(emptyRecord(QueueSchema, '') as unknown as Queue),
    ...{ id: rig.store.queues.nextId(customerId), name: 'Support', number: 690, join_empty: true, skip_busy: true },
    ...{ ring_time: 20, retry: 5, max_wait_time: 300, agent_sounds: '', groups: [] },
    language: codeOf(languageCodes, 'en'),
    ring_strategy: codeOf(queueStrategyCodes, strategy),
    final_dst_type: codeOf(destinationTypeCodes, letter),
    final_dst_id: id,
    users: [...agents.map((id) => ({ id, status: true })), ...out.map((id) => ({ id, status: false }))],
    ...rest,
  });
}

/** The watched company, its callers' sounds, and the state of queues in the words of live calls. */
export function queueing() {
  const all = attended();
  const { rig } = all;
  const states = () => all.live().map(({ dst, state, queue_state }) => `${dst} ${state} ${queue_state}`.trim());
  const inQueues = () => rig.exchange.waiting;
  const over = (): void => {
    all.over();
    if (inQueues() > 0) throw new Error(`${inQueues()} callers are left in queues`);
  };
  return { ...all, states, inQueues, over, queue: (settings?: QueueSettings) => makeQueue(rig, settings) };
}

/** Three agents, callers from outside, and what happens to the phones in order: `1` for the second user's. */
export function office(strategy: Strategy, settings: QueueSettings = {}) {
  const all = queueing();
  const { rig, phones, network, ids } = all;
  const support = all.queue({ strategy, agents: [...ids], ring_time: 10, retry: 5, ...settings });
  const number = rig.customer.numbers[0] ?? '';
  const [ddi] = rig.store.ddis.find('e164', number);
  rig.store.ddis.update(ddi?.id ?? '', { target_type: 5, target_id: support.id });
  const startedAt = rig.clock.now();
  /** `phone second` for each INVITE to an agent. */
  const rung: string[] = [];
  rig.journal.subscribe((entry) => {
    const { text } = dataOf(entry) as { text?: string };
    const to = entry.kind === 'sip.out' ? /^INVITE sip:(\d+)@/.exec(text ?? '')?.[1] : undefined;
    const index = all.exts.indexOf(to ?? '');
    if (index >= 0) rung.push(`${index} ${(entry.at - startedAt) / 1000}`);
  });
  return { ...all, support, rung, arrive: () => network.dial(number), phones };
}
