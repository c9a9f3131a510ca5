// The exchange's promises, checked from its journal as it grows: what may never happen, whatever peers do. Changes nothing.

import { dataOf, type Journal, type JournalEntry } from '../kernel/journal.ts';
import { LastUsed } from '../kernel/last-used.ts';
import { unshared } from '../kernel/unshared.ts';
import { bodyText, callIdOf, cseqOf, fromOf, toOf, topVia } from '../sip/fields.ts';
import type { SipMessage, SipRequest, SipResponse } from '../sip/message.ts';
import { tagOf } from '../sip/name-addr.ts';
import { parseMessage } from '../sip/parse.ts';
import type { Store } from '../store/store.ts';
import { callStateTable } from './call-states.ts';
import type { CallEvent, DomainEvent } from './events.ts';
import { SupervisionWatch } from './supervision-watch.ts';

const TERMINAL = new Set(['call.hangup', 'call.missed', 'call.failed']);
/** Findings that are kept; one is enough to know. */
const MAX_VIOLATIONS = 100;
/** Calls, dialogs and INVITEs that are remembered at least: in a long run those that were silent longest are forgotten, unchecked from then on. */
const MAX_REMEMBERED = 50_000;

interface CallLife {
  lastSeq: number;
  answered: boolean;
  /** Rung for a caller at a group. */
  readonly isForGroup: boolean;
  /** The call of the caller for whom it is rung. */
  group: number | undefined;
  /** Those that were ever rung for this one. */
  readonly members: number[];
  /** Another member of the group has answered. */
  elsewhere: boolean;
  terminal: CallEvent | undefined;
}

interface DialogLife {
  /** INVITEs of ours whose 2xx still waits for our ACK, by CSeq. */
  readonly unacked: Set<number>;
  byeSent: boolean;
  /** Highest CSeq that left: what does not exceed it is a copy. */
  lastCseq: number;
  /** What each version of our description said. */
  readonly descriptions: Map<number, string>;
}

export class InvariantWatch {
  readonly violations: string[] = [];
  readonly #store: Store;
  readonly #calls: LastUsed<number, CallLife>;
  readonly #finals: LastUsed<string, number>;
  readonly #dialogs: LastUsed<string, DialogLife>;
  readonly #supervision = new SupervisionWatch((what) => this.#broken(what));

  constructor(store: Store, remembered = MAX_REMEMBERED) {
    this.#store = store;
    this.#calls = new LastUsed(remembered);
    this.#finals = new LastUsed(remembered, unshared);
    this.#dialogs = new LastUsed(remembered, unshared);
  }

  /** Given to `exchange.subscribe`. */
  readonly onEvent = (event: DomainEvent): void => {
    if (event.kind !== 'call') return;
    const life = this.#lifeOf(event.callId);
    if (life.terminal !== undefined)
      this.#broken(`call ${event.callId}: ${event.name} after its end ${life.terminal.name}`);
    if (event.seq <= life.lastSeq) this.#broken(`call ${event.callId}: events out of the journal's order`);
    if (event.name === 'call.connected') life.answered = true;
    if (life.answered && (event.name === 'call.missed' || event.name === 'call.failed'))
      this.#broken(`call ${event.callId}: answered and ${event.name}`);
    const isHungUp = event.name === 'call.hangup';
    if (isHungUp && (event.connectedAt !== null) === life.elsewhere)
      this.#broken(`call ${event.callId}: hung up, and answered ${life.elsewhere ? 'here and elsewhere' : 'nowhere'}`);
    life.lastSeq = event.seq;
    if (TERMINAL.has(event.name)) life.terminal = event;
  };

  /** Given to `journal.subscribe`. */
  readonly onEntry = (entry: JournalEntry): void => {
    this.#supervision.onEntry(entry);
    if (entry.kind === 'call.opened') this.#opened(entry);
    else if (entry.kind === 'call.adopted') this.#adopted(entry);
    else if (entry.kind === 'call.state') this.#transition(entry);
    else if (entry.kind === 'call.closed') this.#closed(entry);
    else if (entry.kind === 'sip.in' || entry.kind === 'sip.out') this.#message(entry);
  };

  /** To be called when every call is over and every transaction has run out. */
  checkQuiet(stats: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(stats))
      if (count !== 0) this.#broken(`${count} ${name} left after the last call`);
    for (const [dialog, life] of this.#dialogs.entries()) {
      if (life.unacked.size > 0 && !life.byeSent) this.#broken(`dialog ${dialog}: a 2xx was never acknowledged`);
    }
    for (const [id, life] of this.#calls.entries())
      if (life.terminal === undefined) this.#broken(`call ${id} has no terminal event`);
    this.#supervision.checkQuiet();
  }

  #broken(what: string): void {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push(what);
  }

  #lifeOf(callId: number, isForGroup = false): CallLife {
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    const life: CallLife = {
      ...{ group: undefined, lastSeq: 0, answered: false, elsewhere: false, terminal: undefined },
      ...{ isForGroup, members: [] },
    };
    this.#calls.set(callId, life);
    return life;
  }

  #opened(entry: JournalEntry): void {
    const { for: rungFor, parent } = dataOf(entry);
    const id = entry.callId ?? 0;
    this.#lifeOf(id, rungFor === 'group');
    if (rungFor === 'group') this.#enroll(id, Number(parent));
  }

  /** It rings on for another caller, and must not outlive that one's call. */
  #adopted(entry: JournalEntry): void {
    this.#enroll(entry.callId ?? 0, Number(dataOf(entry).parent));
  }

  #enroll(id: number, group: number): void {
    this.#lifeOf(id).group = group;
    this.#lifeOf(group).members.push(id);
  }

  #transition(entry: JournalEntry): void {
    const { from, input, to } = dataOf(entry);
    if (input === 'elsewhere') this.#lifeOf(entry.callId ?? 0).elsewhere = true;
    const known = callStateTable.some((row) => row.from === from && row.input === input && row.to === to);
    if (!known)
      this.#broken(`call ${entry.callId}: ${String(from)} --${String(input)}--> ${String(to)} is not in the table`);
  }

  #closed(entry: JournalEntry): void {
    const id = entry.callId ?? 0;
    const terminal = this.#calls.get(id)?.terminal;
    for (const member of this.#calls.get(id)?.members ?? [])
      if (this.#calls.get(member)?.terminal === undefined && this.#calls.get(member)?.group === id)
        this.#broken(`call ${member} outlives its group's call ${id}`);
    const [cdr, second] = this.#store.cdrs.find('live_id', id);
    if (terminal === undefined) return this.#broken(`call ${id} closed without a terminal event`);
    // An account that is gone keeps no records of its last calls.
    if (this.#store.customers.get(entry.customerId ?? 0) === undefined) return;
    if (this.#isUnlogged(id, terminal)) {
      if (cdr !== undefined) this.#broken(`call ${id} has a CDR that its user did not want`);
      return;
    }
    if (cdr === undefined || second !== undefined)
      return this.#broken(`call ${id} has ${cdr === undefined ? 'no CDR' : 'two CDRs'}`);
    if (cdr.duration !== terminal.durationS)
      this.#broken(`call ${id}: the event says ${terminal.durationS} s, the CDR ${cdr.duration} s`);
    const answered = terminal.connectedAt !== null;
    if (answered !== ['CONNECTED', 'VM'].includes(cdr.disposition))
      this.#broken(`call ${id}: ${terminal.name} and disposition ${cdr.disposition}`);
  }

  /** Users may wish that calls to their groups which nobody answered leave no record of theirs. */
  #isUnlogged(id: number, terminal: CallEvent): boolean {
    if (terminal.name !== 'call.missed' || this.#calls.get(id)?.isForGroup !== true) return false;
    return this.#store.users.get(terminal.dst.id ?? 0)?.log_missed_calls === false;
  }

  #message(entry: JournalEntry): void {
    const parsed = parseMessage(new TextEncoder().encode(String(dataOf(entry).text)));
    if (!parsed.ok) return;
    const out = entry.kind === 'sip.out';
    const { message } = parsed;
    if (message.kind === 'response') this.#response(message, out);
    else this.#request(message, out);
  }

  #request(message: SipRequest, out: boolean): void {
    const life = this.#dialogOf(message, out);
    if (!out) return;
    const number = cseqOf(message)?.number ?? 0;
    this.#description(message, life, number <= life.lastCseq);
    if (message.method === 'ACK') life.unacked.delete(number);
    if (life.byeSent && number > life.lastCseq && !['BYE', 'ACK', 'CANCEL'].includes(message.method)) {
      this.#broken(`dialog ${callIdOf(message)}: ${message.method} was sent after BYE`);
    }
    if (message.method === 'BYE') life.byeSent = true;
    life.lastCseq = Math.max(life.lastCseq, number);
  }

  #response(message: SipResponse, out: boolean): void {
    const cseq = cseqOf(message);
    // Its 2xx answers an offer, too (RFC 3311, 5.2).
    if (cseq?.method === 'UPDATE' && out) this.#description(message, this.#dialogOf(message, out), true);
    if (cseq?.method !== 'INVITE' || message.status < 200) return;
    if (!out) {
      if (message.status < 300) this.#dialogOf(message, out).unacked.add(cseq.number);
      return;
    }
    // RFC 3261, 17.2.1: the one final response, however often it is repeated.
    this.#description(message, this.#dialogOf(message, out), true);
    // A transaction is known by branch and sent-by together (RFC 3261, 17.2.3).
    const via = topVia(message);
    const key = `${via?.branch} ${via?.host}:${via?.port} ${callIdOf(message)} ${cseq.number}`;
    const before = this.#finals.get(key);
    if (before !== undefined && before !== message.status)
      this.#broken(`INVITE ${key} was answered ${before} and ${message.status}`);
    this.#finals.set(key, message.status);
  }

  // RFC 3264, 8: the version of o= rises exactly when the description changes. A copy of an old message repeats an old version.
  #description(message: SipMessage, life: DialogLife, isCopy: boolean): void {
    const body = bodyText(message);
    const origin = /^o=\S+ \S+ (\d+) /m.exec(body);
    if (origin === null) return;
    const version = Number(origin[1]);
    const rest = body.replace(/^o=.*$/m, '');
    const highest = Math.max(0, ...life.descriptions.keys());
    const said = life.descriptions.get(version);
    const wrong =
      said === undefined
        ? version < highest || life.descriptions.get(highest) === rest
        : said !== rest || (version < highest && !isCopy);
    if (wrong)
      this.#broken(
        `dialog ${callIdOf(message)}: SDP version ${version} after ${highest}${said === rest ? ', the same text' : ''}`,
      );
    life.descriptions.set(version, rest);
  }

  /** One life per dialog of ours: Call-ID and our own tag. */
  #dialogOf(message: SipMessage, out: boolean): DialogLife {
    const ourHeader = (message.kind === 'request') === out ? fromOf(message) : toOf(message);
    const tag = ourHeader === undefined ? '' : (tagOf(ourHeader) ?? '');
    const key = `${callIdOf(message)} ${tag}`;
    const known = this.#dialogs.get(key);
    if (known !== undefined) return known;
    const life: DialogLife = { unacked: new Set(), byeSent: false, lastCseq: 0, descriptions: new Map() };
    this.#dialogs.set(key, life);
    return life;
  }
}

/** Watches a running exchange; the result stops. */
export function watchInvariants(
  watch: InvariantWatch,
  journal: Journal,
  subscribe: (listener: (event: DomainEvent) => void) => () => void,
): () => void {
  const stops = [journal.subscribe(watch.onEntry), subscribe(watch.onEvent)];
  return () => {
    for (const stop of stops) stop();
  };
}
