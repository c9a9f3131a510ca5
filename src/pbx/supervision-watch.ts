// What the exchange promises of supervisors, checked from its journal: nobody listens to a call that is over, or after its own. Changes nothing.
import { dataOf, type JournalEntry } from '../kernel/journal.ts';

interface Listening {
  readonly watched: number;
  /** When the watched call was over, ms since 1970: the supervisor has that instant to go. */
  overAt: number | undefined;
}

export class SupervisionWatch {
  readonly #broken: (what: string) => void;
  /** By the supervisor's call. */
  readonly #listening = new Map<number, Listening>();

  constructor(broken: (what: string) => void) {
    this.#broken = broken;
  }

  /** Given every entry, in order. */
  onEntry(entry: JournalEntry): void {
    const { kind, callId, at } = entry;
    if (kind === 'supervision.began') this.#began(callId ?? 0, Number(dataOf(entry).call));
    else if (kind === 'supervision.ended') this.#listening.delete(callId ?? 0);
    if (this.#listening.size === 0) return;
    if (kind === 'call.closed') this.#closed(callId ?? 0, at);
    for (const [id, { watched, overAt }] of this.#listening)
      if (overAt !== undefined && at > overAt) {
        this.#broken(`call ${id} listens to call ${watched}, which is over`);
        this.#listening.delete(id);
      }
  }

  checkQuiet(): void {
    for (const [id, { watched }] of this.#listening) this.#broken(`call ${id} still listens to call ${watched}`);
  }

  #began(id: number, watched: number): void {
    if (this.#listening.has(id)) this.#broken(`call ${id} listens to two calls`);
    this.#listening.set(id, { watched, overAt: undefined });
  }

  #closed(closed: number, at: number): void {
    if (this.#listening.delete(closed)) this.#broken(`call ${closed} is over and listens on`);
    for (const listening of this.#listening.values()) if (listening.watched === closed) listening.overAt = at;
  }
}
