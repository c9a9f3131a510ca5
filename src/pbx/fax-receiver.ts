// The fax machine of a number: answers, takes pages as long as the sender is there, and leaves a record. Knows no trunk.
import type { Ddi } from '../contract/resources/settings.ts';
import type { SipRequest } from '../sip/message.ts';
import type { Attendant, AttendantFacts } from './attendant.ts';
import { answered, type Spoken } from './attendants/spoken.ts';
import { NORMAL_CLEARING } from './causes.ts';
import { keepFax, mailFax } from './fax-records.ts';
import { MAX_PAGES, pagesAfter, transmissionMs } from './fax-times.ts';
import type { Switchboard } from './switchboard.ts';

/** The caller hears a machine; what it sends is told by how long it stays, for no page is read out of the sound (CHOICE-FAX). */
export class FaxReceiver implements Attendant {
  readonly #board: Switchboard;
  readonly #ddi: Ddi;
  readonly #facts: AttendantFacts;
  #spoken: Spoken | undefined;
  #answeredAt = 0;

  constructor(board: Switchboard, ddi: Ddi, facts: AttendantFacts) {
    this.#board = board;
    this.#ddi = ddi;
    this.#facts = facts;
  }

  start(): void {
    const { call, caller, events } = this.#facts;
    this.#answeredAt = this.#board.clock.now();
    const spoken = answered(this.#board, call, caller.leg);
    this.#spoken = spoken;
    spoken.say([this.#board.sounds.tone('fax')]);
    spoken.wait(transmissionMs(MAX_PAGES), 'longest fax', () => {
      this.close();
      events.onDone(NORMAL_CLEARING);
    });
  }

  close(): void {
    if (this.#spoken?.isOpen !== true) return;
    this.#spoken.close();
    const { call } = this.#facts;
    const pages = pagesAfter(this.#board.clock.now() - this.#answeredAt);
    const kept = keepFax(
      this.#board,
      {
        ...{ customerId: call.customerId, type: 'in', from: call.src.number, to: this.#ddi.e164, pages },
        status: pages > 0 ? 'received' : 'failed',
      },
      call.id,
    );
    if (kept.ok && pages > 0) mailFax(this.#board, this.#ddi, kept.value);
  }

  ringing(): readonly [] {
    return [];
  }
}

// RFC 6913, 4: a caller that is a fax machine says whom it would like to reach.
/** True for the INVITE of a caller that would rather reach a fax machine than a person. */
export function asksForFax(invite: SipRequest): boolean {
  return invite.headers.all('Accept-Contact').some((value) => /;\s*\+?sip\.fax\b/i.test(value));
}
