// An offer while a phone still rings (UPDATE or PRACK: RFC 3311, RFC 3262, 5): the exchange answers it by itself, for either party. Whoever
// is there when the call is answered hears of nothing but what is agreed then.
import { bodyText } from '../sip/fields.ts';
import { parseSdp, type SessionDescription } from '../sip/sdp.ts';
import type { ServerRequest } from '../sip/user-agent-api.ts';
import type { LegMedia } from './leg-media.ts';

/**
 * Agrees with the party on what it offers: the codec in use stays where the offer has it, for the other party may be heard in it
 * already. The result is what holds from now on; undefined when it was refused, and all is as before.
 */
export function answerEarly(
  media: LegMedia,
  codecs: readonly string[],
  request: ServerRequest,
): SessionDescription | undefined {
  const offer = parseSdp(bodyText(request.request));
  if (offer === undefined) {
    request.respond(400, { reason: 'Bad session description' });
    return undefined;
  }
  const answer = media.answer(offer, [media.codec]) ?? media.answer(offer, codecs);
  if (answer === undefined) {
    request.respond(488);
    return undefined;
  }
  request.respond(200, { body: answer });
  return offer;
}
