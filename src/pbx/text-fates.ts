// What becomes of a text message that is sent to a number of the public network: the documented magic endings. Data.
import { digitsOf } from './party.ts';

/** `lost`: the network never tells what became of it, so the message stays sent. */
export type TextFate = 'delivered' | 'lost' | 'failed';

/** +44 20 7946 00xx by the last two digits, as in CHOICE-SMS-RESULT; who is busy or does not answer still reads. */
const MAGIC: Readonly<Record<string, TextFate>> = {
  '03': 'lost',
  '04': 'failed',
  '05': 'failed',
  '06': 'failed',
  '08': 'lost',
};

/** The fate of a message to a number that is none of ours. */
export function fateOf(number: string): TextFate {
  const digits = digitsOf(number);
  const magic = /^4420794600(\d\d)$/.exec(digits)?.[1];
  if (magic !== undefined) return MAGIC[magic] ?? 'delivered';
  return /^\d{5,15}$/.test(digits) ? 'delivered' : 'failed';
}
