// An agent logs in to its queues, or out of them, by dialling (CHOICE-QUEUE-LOGIN). Says which, and hangs up.
import type { User } from '../../contract/resources/customer.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Queue } from '../place.ts';
import { logAgent } from '../queue-agents.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOfUser } from '../tongues.ts';
import { answered, type Spoken } from './spoken.ts';

export class QueueLogin implements Attendant {
  readonly #board: Switchboard;
  readonly #user: User;
  readonly #number: string;
  readonly #facts: AttendantFacts;
  #spoken: Spoken | undefined;

  /** `number`: of the queue; empty for all that the user is in. */
  constructor(board: Switchboard, user: User, number: string, facts: AttendantFacts) {
    this.#board = board;
    this.#user = user;
    this.#number = number;
    this.#facts = facts;
  }

  start(): void {
    const { call, caller, events } = this.#facts;
    this.#spoken = answered(this.#board, call, caller.leg);
    const isIn = this.#change();
    const said = isIn === undefined ? 'invalid' : isIn ? 'agent-logged-in' : 'agent-logged-out';
    this.#spoken.say([tongueOfUser(this.#board, this.#user.id).prompt(said)], () => {
      this.#spoken?.close();
      events.onDone(NORMAL_CLEARING);
    });
  }

  close(): void {
    this.#spoken?.close();
  }

  ringing(): readonly [] {
    return [];
  }

  /** Who is logged in anywhere is logged out. Undefined when the user is no agent there. */
  #change(): boolean | undefined {
    const { id } = this.#user;
    const queues = this.#queues();
    if (queues.length === 0) return undefined;
    const isIn = !queues.some(({ users }) => users.some((user) => user.id === id && user.status));
    for (const queue of queues) logAgent(this.#board, queue, id, isIn);
    return isIn;
  }

  #queues(): Queue[] {
    const all = [...this.#board.store.queues.list(this.#user.customer)];
    return all.filter(
      ({ users, number }) =>
        users.some(({ id }) => id === this.#user.id) && (this.#number === '' || this.#number === String(number)),
    );
  }
}
