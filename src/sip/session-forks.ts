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
  /** The session description that it gave reliably. */
  answer: Uint8Array | undefined;
}

/** RSeq of a provisional that must be acknowledged; 0 of all others. */
export function rseqOf(response: SipResponse): number {
  const value = response.headers.get('RSeq');
  if (value === undefined || !/^\d{1,10}$/.test(value) || !tokensOf(response, 'Require').includes('100rel')) return 0;
  return Number(value);
}

export class Forks {
  readonly #byTag = new Map<string, Fork>();

  get(tag: string): Fork | undefined {
    return this.#byTag.get(tag);
  }

  /** The fork of that tag, new with this dialog when it had not spoken before. Undefined beyond the limit. */
  enter(tag: string, dialog: () => Dialog): Fork | undefined {
    const known = this.#byTag.get(tag);
    if (known !== undefined || this.#byTag.size >= MAX_FORKS) return known;
    const fork: Fork = { dialog: dialog(), rseq: 0, answer: undefined };
    this.#byTag.set(tag, fork);
    return fork;
  }

  clear(): void {
    this.#byTag.clear();
  }
}
