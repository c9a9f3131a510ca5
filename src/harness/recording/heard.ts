// What a recording holds, before it becomes a scenario: acts at phones, how calls were met, requests, calls with their events. Data.
import type { ActWord } from '../language/document.ts';

/** `user:10000001`, or `outside:+442079460001`. */
export type PartyKey = `user:${number}` | `outside:${string}`;

interface At {
  /** Order in the journal. */
  readonly seq: number;
  /** ms since 1970 on the simulator's clock. */
  readonly at: number;
}

export interface HeardAct extends At {
  readonly party: PartyKey;
  /** The call that it was about. */
  readonly callId: number | null;
  readonly act: ActWord;
  /** As it was dialled. */
  readonly to?: string;
  readonly digits?: string;
  readonly message?: string;
  /** What the phone's call was before it was hung up. */
  readonly during?: 'connected' | 'holding' | 'ringback';
  /** Since when it rang: of an answer, or a refusal. */
  readonly since?: number;
}

/** How a phone met a call that came to it. */
export interface Meeting extends At {
  readonly party: PartyKey;
  /** `ring`: its user decided. A number: a refusal that no scenario can ask of a phone. */
  readonly how: 'ring' | 'busy' | 'decline' | 'unavailable' | 'silent' | number;
  /** Rang so long first, ms. */
  readonly afterMs: number;
}

export interface HeardRequest extends At {
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly userId: number | null;
  readonly callId: number | null;
  /** Undefined: not answered when the recording ended. */
  readonly status?: number;
}

export interface HeardEvent extends At {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface HeardCall extends At {
  readonly id: number;
  readonly customerId: number;
  readonly events: readonly HeardEvent[];
  /** States in the order in which they came. */
  readonly states: readonly (At & { readonly to: string })[];
  readonly closed?: At;
}

/** What a scenario cannot repeat, in a sentence. */
export interface Note extends At {
  readonly text: string;
}

export interface Recording {
  readonly acts: readonly HeardAct[];
  readonly meetings: readonly Meeting[];
  readonly requests: readonly HeardRequest[];
  readonly calls: readonly HeardCall[];
  readonly texts: readonly HeardEvent[];
  readonly notes: readonly Note[];
  /** One phone of each call that had not ended. */
  readonly talking: readonly PartyKey[];
}
