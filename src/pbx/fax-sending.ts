// Faxes that are sent: queued, called for when their number has a channel free, and told how they went. Knows no fax machine.
import { codeOf, faxStatusCodes } from '../contract/codes.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Fax } from '../contract/resources/storage.ts';
import type { Timer } from '../kernel/clock.ts';
import { failure, type Result } from '../kernel/errors.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { clidOf } from './caller-id.ts';
import type { SendFax } from './face.ts';
import { keepFax, moveFax } from './fax-records.ts';
import { FaxTransmission } from './fax-transmission.ts';
import { digitsOf, isPublicNumber, type Party } from './party.ts';
import { chargeFor, rateFor } from './rates.ts';
import type { Switchboard } from './switchboard.ts';

/** From queued to the call. */
export const QUEUED_MS = 1000;
/** How often a queued fax looks whether a channel is free. */
export const LOOK_AGAIN_MS = 5000;
/** Faxes that may be queued at a time. */
export const MAX_QUEUED = 1000;

interface Waiting {
  readonly fax: Fax;
  readonly customerId: number;
  readonly ddi: Ddi;
}

export class FaxSending {
  readonly #board: Switchboard;
  readonly #timers = new Map<number, Timer>();
  /** Faxes on their way by number. */
  readonly #busy = new Map<string, number>();

  /** What was queued when the store was last in use goes on; what was being sent then was cut off. */
  constructor(board: Switchboard) {
    this.#board = board;
    for (const [customerId, fax] of [...board.store.faxes.entries()]) this.#resume(customerId, fax);
  }

  /** The fax is queued when this returns; what follows follows by itself. `invalid` names what is wrong. */
  send({ customerId, from, to, pages, filename }: SendFax): Result<Fax> {
    const ddi = this.#board.directory.ddi(from);
    if (ddi === undefined || this.#board.directory.customerOfDdi(ddi) !== customerId)
      return refused(`from: there is no number ${from} in this account`);
    if (!ddi.fax_enabled) return refused(`from: ${ddi.e164} sends no faxes`);
    if (!isPublicNumber(to)) return refused(`to: nobody has ${to}`);
    if (this.#timers.size >= MAX_QUEUED) return refused(`to: ${MAX_QUEUED} faxes are queued, the most that may be`);
    const kept = keepFax(this.#board, {
      ...{ customerId, type: 'out', from: ddi.e164, to: `+${digitsOf(to)}`, pages, status: 'queued' },
      ...(filename === undefined ? {} : { filename }),
    });
    if (kept.ok) this.#later(QUEUED_MS, { fax: kept.value, customerId, ddi });
    return kept;
  }

  /** Nothing is sent any more. */
  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #later(delayMs: number, waiting: Waiting): void {
    const { fax, customerId } = waiting;
    const timer = this.#board.clock.after(delayMs, `fax ${fax.id} of customer ${customerId}`, () => {
      this.#timers.delete(fax.id);
      this.#call(waiting);
    });
    this.#timers.set(fax.id, timer);
  }

  #call(waiting: Waiting): void {
    const { fax, customerId, ddi } = waiting;
    const { calls, store, directory } = this.#board;
    if (store.faxes.get(fax.id) === undefined) return;
    const busy = this.#busy.get(ddi.e164) ?? 0;
    if (busy >= Math.max(1, ddi.channels) || calls.size >= MAX_LIVE_CALLS) return this.#later(LOOK_AGAIN_MS, waiting);
    this.#busy.set(ddi.e164, busy + 1);
    const src: Party = { kind: 'fax', userId: null, number: ddi.e164, name: ddi.name };
    const shown = { number: ddi.e164, name: ddi.name };
    const rate = rateFor(digitsOf(fax.to));
    const call = calls.open({
      ...{ customerId, direction: 'out', origin: 'call', src, dst: directory.outsider(fax.to), rate },
      clid: clidOf(shown),
    });
    const moved = (status: 'sending' | 'sent' | 'failed', charge?: number): void =>
      moveFax(this.#board, customerId, fax.id, {
        status,
        callId: call.id,
        ...(charge === undefined ? {} : { charge }),
      });
    new FaxTransmission(this.#board, {
      ...{ call, to: fax.to, shown, pages: fax.pages },
      onSending: () => moved('sending'),
      onEnded: (isSent) => {
        this.#release(ddi.e164);
        moved(isSent ? 'sent' : 'failed', chargeFor(rate, call.billsecS(this.#board.clock.now())));
      },
    }).start();
  }

  #release(e164: string): void {
    const busy = (this.#busy.get(e164) ?? 1) - 1;
    if (busy > 0) this.#busy.set(e164, busy);
    else this.#busy.delete(e164);
  }

  #resume(customerId: number, fax: Fax): void {
    const ddi = this.#board.directory.ddi(fax.from);
    if (fax.status === codeOf(faxStatusCodes, 'queued') && ddi !== undefined)
      this.#later(QUEUED_MS, { fax, customerId, ddi });
    else if (fax.status === codeOf(faxStatusCodes, 'sending'))
      this.#board.store.faxes.update(fax.id, { status: codeOf(faxStatusCodes, 'failed') });
  }
}

function refused(problem: string): Result<never> {
  return failure('invalid', 'The fax cannot be sent.', [problem]);
}
