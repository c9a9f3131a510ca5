// A conformance run put together from the stream it is told in. Pure: the same lines give the same run.

import type {
  CheckResult,
  ConformEvent,
  ConformRun,
  Exchange,
  ReceivedDelivery,
  RunHead,
  RunTail,
  SipMessageSeen,
} from './conform-results.ts';

const NOTHING_BEFORE: RunHead = {
  target: { name: '', apiRoot: '', control: false },
  seed: '',
  filtered: false,
  strict: false,
  startedAt: '',
  planned: [],
};
const NEVER_ENDED: RunTail = {
  durationMs: 0,
  coverage: [],
  leftovers: [],
  stale: [],
  obstacle: { kind: 'harness', lines: ['The stream of the run has no end.'] },
};

/** Keeps what it is told; `run` is what that makes. */
export class RunCollector {
  #head: RunHead = NOTHING_BEFORE;
  #tail: RunTail = NEVER_ENDED;
  readonly #checks: CheckResult[] = [];
  readonly #exchanges: Exchange[] = [];
  readonly #deliveries: ReceivedDelivery[] = [];
  readonly #messages: SipMessageSeen[] = [];

  take(event: ConformEvent): void {
    switch (event.event) {
      case 'run started': {
        const { event: _, ...head } = event;
        this.#head = head;
        return;
      }
      case 'exchange':
        this.#exchanges.push(event.exchange);
        return;
      case 'delivery':
        this.#deliveries.push(event.delivery);
        return;
      case 'sip':
        this.#messages.push(event.message);
        return;
      case 'check ended':
        this.#checks.push(event.result);
        return;
      case 'run ended': {
        const { event: _, ...tail } = event;
        this.#tail = tail;
        return;
      }
      case 'check started':
        return;
    }
  }

  get run(): ConformRun {
    const place = new Map(this.#head.planned.map((id, index) => [id, index]));
    const last = this.#head.planned.length;
    return {
      ...this.#head,
      ...this.#tail,
      checks: this.#checks.toSorted((a, b) => (place.get(a.id) ?? last) - (place.get(b.id) ?? last)),
      exchanges: this.#exchanges.toSorted((a, b) => a.seq - b.seq),
      ...(this.#deliveries.length === 0 ? {} : { deliveries: this.#deliveries.toSorted((a, b) => a.seq - b.seq) }),
      ...(this.#messages.length === 0 ? {} : { messages: this.#messages.toSorted((a, b) => a.seq - b.seq) }),
    };
  }
}

/** A run that never began: what stood in the way is all there is. */
export function obstructedRun(target: string, obstacle: NonNullable<RunTail['obstacle']>): ConformRun {
  const { obstacle: _, ...tail } = NEVER_ENDED;
  return {
    ...{ ...NOTHING_BEFORE, target: { name: target, apiRoot: target, control: false } },
    ...{ ...tail, obstacle, checks: [], exchanges: [] },
  };
}
