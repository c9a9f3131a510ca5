// Digits pressed during a call, as SIP INFO brings them. Reads bodies; raises nothing itself.
import { bodyText } from '../sip/fields.ts';
import type { SipRequest } from '../sip/message.ts';

export const DTMF_TYPES = 'application/dtmf-relay, application/dtmf';

export type InfoContent =
  | { readonly kind: 'digit'; readonly digit: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'other' };

/** Reads `application/dtmf-relay` (`Signal=5`) and `application/dtmf` (`5`). */
export function readInfo(request: SipRequest): InfoContent {
  const type = (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const body = bodyText(request);
  if (type !== 'application/dtmf-relay' && type !== 'application/dtmf') return { kind: 'other' };
  const written = type === 'application/dtmf-relay' ? /^\s*signal\s*=\s*(\S+)\s*$/im.exec(body)?.[1] : body.trim();
  const digit = keyOf(written ?? '');
  return digit === undefined ? { kind: 'malformed' } : { kind: 'digit', digit };
}

// Some phones send the number of the RFC 4733 event instead of the key: 10 is the star, 11 the hash.
function keyOf(written: string): string | undefined {
  if (/^[0-9*#A-Da-d]$/.test(written)) return written.toUpperCase();
  if (written === '10') return '*';
  return written === '11' ? '#' : undefined;
}
