// Two answered parties that have never spoken to each other: which codec both use, and who is asked for another one (RFC 3264, 8).
import { bodyText } from '../sip/fields.ts';
import { endCall } from './bridge.ts';
import type { Call } from './call.ts';
import { causeOfStatus } from './causes.ts';
import { joinUnlessHeld } from './hold.ts';
import type { Leg } from './leg.ts';
import { CODECS, type LegMedia } from './leg-media.ts';
import type { Switchboard } from './switchboard.ts';

/** A party that answers in another codec than it was asked for is not asked for ever. */
const MAX_TRIES = 3;

/**
 * Re-INVITEs whom that codec is new to: the one of `a`, where `b` can do it. A party that refuses it cannot speak to the other: the
 * call ends with 488.
 */
export function agreeOnCodec(board: Switchboard, call: Call, a: Leg, b: Leg, tries = MAX_TRIES): void {
  const codec = a.media.codec === b.media.codec ? undefined : codecFor(a.media, b.media);
  if (codec === undefined) return;
  for (const [leg, other] of [
    [a, b],
    [b, a],
  ] as const)
    if (leg.media.codec !== codec) offer(board, call, leg, other, codec, tries);
}

// An answer names what was agreed and not all that its party can do (RFC 3264, 6.1): it may take more, and is asked.
function codecFor(a: LegMedia, b: LegMedia): string | undefined {
  const inUse = [a.codec, b.codec];
  const known = [...inUse, ...CODECS].find((codec) => a.codecs.includes(codec) && b.codecs.includes(codec));
  return known ?? inUse.find((codec) => CODECS.includes(codec));
}

function offer(board: Switchboard, call: Call, leg: Leg, other: Leg, codec: string, tries: number): void {
  leg.session.reinvite(
    () => leg.media.offer([codec]) ?? '',
    ({ response, status }) => {
      const agreed = response !== undefined && status < 300 && leg.media.accept(bodyText(response));
      if (agreed) {
        joinUnlessHeld(call, leg, other);
        // The other one may have gone on to a further codec meanwhile.
        const isCall = [leg, other].every((one) => call.legs().includes(one));
        if (tries > 1 && isCall) agreeOnCodec(board, call, other, leg, tries - 1);
      } else if (!call.isOver && call.legs().includes(leg)) endCall(board, call, causeOfStatus(488), null);
    },
  );
}
