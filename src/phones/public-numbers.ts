// Numbers of the public network and what answers there: the documented magic endings, and everybody else. Data.
import { type AnswerPlan, JUST_TALK, type TalkPlan } from './plan.ts';

/** Digits alone: how numbers are compared, with or without `+`, blanks, dots, dashes and brackets. */
export function digitsOf(number: string): string {
  return number
    .replace(/^tel:/, '')
    .replace(/[\s().-]/g, '')
    .replace(/^\+/, '');
}

/** E.164 with `+`. */
export function e164Of(number: string): string {
  return `+${digitsOf(number)}`;
}

/** What happens at a number when it is called. */
export interface Conduct {
  readonly answer: AnswerPlan;
  readonly talk: TalkPlan;
}

/** An ordinary person: picks up after 2 s and talks. */
const ANSWERS: Conduct = { answer: { kind: 'answer', afterMs: 2000 }, talk: JUST_TALK };
const NO_SUCH_NUMBER: Conduct = refuses(404);

/** +44 20 7946 00xx by the last two digits; those that are not here answer like any other number. */
const MAGIC: Readonly<Record<string, Conduct>> = {
  '01': refuses(486),
  '02': { answer: { kind: 'ring' }, talk: JUST_TALK },
  '03': refuses(480),
  '04': refuses(603),
  '05': refuses(503),
  '06': NO_SUCH_NUMBER,
  '07': { ...ANSWERS, talk: { digits: '', after: { talkMs: 2000, next: 'hangup', to: '' } } },
  '08': { answer: { kind: 'silent' }, talk: JUST_TALK },
};

/** What a number that nobody scripted does. 5 to 15 digits are somebody's; anything else is unknown to the network. */
export function conductOf(number: string): Conduct {
  const digits = digitsOf(number);
  const magic = /^4420794600(\d\d)$/.exec(digits)?.[1];
  if (magic !== undefined) return MAGIC[magic] ?? ANSWERS;
  return /^\d{5,15}$/.test(digits) ? ANSWERS : NO_SUCH_NUMBER;
}

function refuses(status: number): Conduct {
  return { answer: { kind: 'refuse', afterMs: 0, status }, talk: JUST_TALK };
}
