// Puts deliberate faults between the flows and the exchange's user agent, in both directions. Knows no fault.
import type { MessageReading, SipFaults } from '../faults/sip-faults.ts';
import type { Journal } from '../kernel/journal.ts';
import { callIdOf, cseqOf } from '../sip/fields.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import type { SipMessage } from '../sip/message.ts';
import { parseMessage } from '../sip/parse.ts';
import type { SendOnFlow } from '../sip/user-agent-api.ts';
import type { SipJournal } from './sip-journal.ts';

export interface FaultyFlowsDeps {
  readonly faults: SipFaults;
  readonly journal: Journal;
  readonly sipJournal: SipJournal;
}

export class FaultyFlows {
  readonly #deps: FaultyFlowsDeps;
  readonly #decoder = new TextDecoder();

  constructor(deps: FaultyFlowsDeps) {
    this.#deps = deps;
  }

  /** Hands what arrived to the listener. What a fault keeps from it has no `sip.in` entry, only that of the fault. */
  receive(flow: Flow, bytes: Uint8Array, listener: FlowListener): void {
    const { faults, journal } = this.#deps;
    if (faults.idle) return listener.received(flow, bytes);
    const forward = (arrived: Uint8Array): void => listener.received(flow, arrived);
    faults.pass({ direction: 'in', flow, bytes, forward }, () => this.#read(flow, bytes, journal.cause));
  }

  /** Sends what the user agent has journalled just now. */
  readonly send: SendOnFlow = (flow, bytes) => {
    const { faults, journal } = this.#deps;
    if (faults.idle) return flow.send(bytes);
    const forward = (leaving: Uint8Array): void => flow.send(leaving);
    faults.pass({ direction: 'out', flow, bytes, forward }, () => this.#read(flow, bytes, journal.last));
  };

  #read(flow: Flow, bytes: Uint8Array, cause: number | null): MessageReading {
    const { sipJournal } = this.#deps;
    const parsed = parseMessage(bytes);
    const message = parsed.ok ? parsed.message : undefined;
    const sipCallId = message === undefined ? '' : (callIdOf(message) ?? '');
    return {
      method: message === undefined ? '' : methodOf(message),
      entry: { ...sipJournal.keyOf(sipCallId), cause },
      data: () => ({
        flow: flow.id,
        ...(message?.kind === 'response' ? { status: message.status } : {}),
        sip_call_id: sipCallId,
        text: this.#decoder.decode(bytes),
      }),
      onNoted: (seq) => sipJournal.fileLater(sipCallId, seq),
    };
  }
}

function methodOf(message: SipMessage): string {
  return message.kind === 'request' ? message.method : (cseqOf(message)?.method ?? '');
}
