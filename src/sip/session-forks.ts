// The early dialogs of one INVITE of ours: one for each phone that answers it provisionally (RFC 3261, 12.1 and 13.2.2.1), and what each said reliably (RFC 3262, 4).
import type { Dialog } from './dialog.ts';
import { tokensOf } from './fields.ts';
import type { SipResponse } from './message.ts';

/** Forks of one INVITE that are told apart; what more of them say is passed on, and not acknowledged. */
export const MAX_FORKS = 16;

export interface Fork {
  readonly dialog: Dialog;
  /** RSeq of its last reliable provisional; 0 before. */
  rseq: number;
  /** PRACKs to it that have no answer yet: what overtakes one would leave it behind as out of order (RFC 3261, 12.2.2). */
  pracks: number;
  /** The session description that it gave reliably. */
  answer: Uint8Array | undefined;
}

/** RSeq of a provisional that must be acknowledged; 0 of all others. */
export function rseqOf(response: SipResponse): number {
  const value = response.headers.get('RSeq');
  if (value === undefined || !/^\d{1,10}$/.test(value) || !tokensOf(response, 'Require').includes('100rel')) return 0;
  return Number(value);
}

/** What there is one of for each fork. Nearly every INVITE has one fork, so that a map is made for the second one only. */
export class ByTag<V> {
  #firstTag: string | undefined;
  #first: V | undefined;
  #others: Map<string, V> | undefined;

  get size(): number {
    return (this.#firstTag === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  has(tag: string): boolean {
    return tag === this.#firstTag || this.#others?.has(tag) === true;
  }

  get(tag: string): V | undefined {
    return tag === this.#firstTag ? this.#first : this.#others?.get(tag);
  }

  set(tag: string, value: V): void {
    this.#firstTag ??= tag;
    if (tag === this.#firstTag) this.#first = value;
    else {
      this.#others ??= new Map();
      this.#others.set(tag, value);
    }
  }

  clear(): void {
    this.#firstTag = undefined;
    this.#first = undefined;
    this.#others = undefined;
  }
}

export class Forks extends ByTag<Fork> {
  /** The fork of that tag, new with this dialog when it had not spoken before. Undefined beyond the limit. */
  enter(tag: string, dialog: () => Dialog): Fork | undefined {
    const known = this.get(tag);
    if (known !== undefined || this.size >= MAX_FORKS) return known;
    const fork: Fork = { dialog: dialog(), rseq: 0, pracks: 0, answer: undefined };
    this.set(tag, fork);
    return fork;
  }
}
