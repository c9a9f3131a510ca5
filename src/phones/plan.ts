// A behaviour turned into what a called phone does, step by step. Data; sends nothing.
import { type AfterTalk, afterTalk, type Behaviour, DEFAULT_ANSWER_MS } from './behaviour.ts';

/** What a phone does once it is connected. */
export interface TalkPlan {
  /** Keys to press; empty: none. */
  readonly digits: string;
  /** Absent: the call goes on until somebody ends it. */
  readonly after?: { readonly talkMs: number; readonly next: AfterTalk; readonly to: string };
}

export type AnswerPlan =
  /** Not a word, as if nobody was there. */
  | { readonly kind: 'silent' }
  /** 180 and never an answer. */
  | { readonly kind: 'ring' }
  /** 180 at once, 200 after `afterMs`. */
  | { readonly kind: 'answer'; readonly afterMs: number }
  /** 183 with our answer at once, 200 after `afterMs`. */
  | { readonly kind: 'early-media'; readonly afterMs: number }
  /** A final failure or redirection; with 180 first when `afterMs` is above 0. `to`: where a redirection leads. */
  | { readonly kind: 'refuse'; readonly afterMs: number; readonly status: number; readonly to?: string };

/** Just talk, until the other side hangs up. */
export const JUST_TALK: TalkPlan = { digits: '' };

export function answerPlanOf(behaviour: Behaviour): AnswerPlan {
  const afterMs = behaviour.after_ms ?? 0;
  switch (behaviour.on_call) {
    case 'answer':
      return { kind: 'answer', afterMs: behaviour.after_ms ?? DEFAULT_ANSWER_MS };
    case 'early_media':
      return { kind: 'early-media', afterMs: behaviour.after_ms ?? DEFAULT_ANSWER_MS };
    case 'busy':
      return { kind: 'refuse', afterMs, status: 486 };
    case 'decline':
      return { kind: 'refuse', afterMs, status: 603 };
    case 'unavailable':
      return { kind: 'refuse', afterMs, status: 480 };
    case 'redirect':
      return { kind: 'refuse', afterMs, status: 302, to: behaviour.to ?? '' };
    case 'ring':
      return { kind: 'ring' };
    case 'silent':
      return { kind: 'silent' };
  }
}

export function talkPlanOf(behaviour: Behaviour): TalkPlan {
  const after = afterTalk(behaviour);
  const digits = behaviour.digits ?? '';
  return after === undefined ? { digits } : { digits, after: { ...after, to: behaviour.to ?? '' } };
}
