// The step that spoils messages on their way, so that people meet what happens on real networks: its shape and its words. Knows no traffic.
import type { Static } from 'typebox';
import { integer, word } from '../../contract/schema.ts';
import { parseDuration } from '../../kernel/time.ts';
import { closed, duration, sentence } from './shapes.ts';

/** On the target's clock; a scenario that fails leaves none for long. */
const LIFE = '5m';

export const faultStep = closed(
  {
    title: sentence,
    fault: word(['drop', 'delay', 'duplicate']),
    method: word(['REGISTER', 'INVITE', 'ACK', 'CANCEL', 'BYE', 'UPDATE', 'REFER', 'NOTIFY', 'INFO']),
    direction: word(['in', 'out'], { description: 'as the exchange sees it' }),
    by: duration,
    after: integer({ minimum: 0, description: 'how many pass first' }),
    times: integer({ minimum: 1, description: 'how many are struck; 1 if not said' }),
  },
  ['fault', 'method', 'direction'],
  {
    description: 'the next such SIP message, a request or an answer to one, is lost, late or there twice (a simulator)',
  },
);
export type FaultStep = Static<typeof faultStep>;

/** As the control API takes it. */
export function faultRule({ fault, method, direction, by, after, times }: FaultStep): object {
  return {
    match: { at: 'sip', method, direction },
    action: { do: fault, ...(by === undefined ? {} : { ms: parseDuration(by) ?? 0 }) },
    times: times ?? 1,
    ...(after === undefined ? {} : { after }),
    ttl: LIFE,
  };
}

/** What is wrong with it beyond its shape, and at which member. */
export function faultFlaw({ fault, by }: FaultStep): string | undefined {
  if ((fault === 'delay') === (by !== undefined)) return undefined;
  return fault === 'delay' ? 'expected a member by: how late' : `expected no by: ${fault} does not take it`;
}
