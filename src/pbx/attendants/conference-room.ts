// Who is in which conference room now: told of each other's coming and going, and heard by each other. Knows no PIN and no call.
import { MOST_IN_ROOM, Room } from '../../media/room.ts';

/** Somebody in a room, as the room sees it. */
export interface Participant {
  /** Somebody else has come, and how many are there now. */
  joined(size: number): void;
  /** Somebody else has left, and how many are left. */
  left(size: number): void;
}

export class ConferenceRoom {
  /** Where their sound meets. */
  readonly sound = new Room();
  readonly #participants = new Set<Participant>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#participants.size;
  }

  get isFull(): boolean {
    return this.#participants.size >= MOST_IN_ROOM;
  }

  enter(participant: Participant): void {
    const others = [...this.#participants];
    this.#participants.add(participant);
    for (const other of others) other.joined(this.#participants.size);
  }

  leave(participant: Participant): void {
    if (!this.#participants.delete(participant)) return;
    for (const other of [...this.#participants]) other.left(this.#participants.size);
    if (this.#participants.size === 0) this.#onEmpty();
  }
}

/** The rooms in which somebody is. */
export class ConferenceRooms {
  readonly #rooms = new Map<number, ConferenceRoom>();

  /** Participants of all conferences. */
  get participants(): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + room.size, 0);
  }

  isFull(conferenceId: number): boolean {
    return this.#rooms.get(conferenceId)?.isFull ?? false;
  }

  /** The room of a conference: there from its first participant to its last. */
  open(conferenceId: number): ConferenceRoom {
    const known = this.#rooms.get(conferenceId);
    if (known !== undefined) return known;
    const room = new ConferenceRoom(() => this.#rooms.delete(conferenceId));
    this.#rooms.set(conferenceId, room);
    return room;
  }
}
