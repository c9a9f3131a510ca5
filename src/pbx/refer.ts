// A REFER read: where the transferor wants its party to go, and what it wants to hear of it (RFC 3515, 3892, 4488). Knows no calls.
import { nameAddrOf } from '../sip/fields.ts';
import type { SipRequest } from '../sip/message.ts';
import { parseReplaces, type Replaces } from '../sip/replaces.ts';
import { parseUri, type SipUri } from '../sip/uri.ts';

export interface Referral {
  /** What the transferor would dial. */
  readonly number: string;
  /** Attended: the dialog whose other party its party is to be joined with. */
  readonly replaces?: Replaces;
  /** False: the transferor wants no NOTIFY (Refer-Sub, RFC 4488). */
  readonly wantsProgress: boolean;
}

/** The final response that a REFER gets which cannot be meant. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const SCHEMES = new Set(['sip', 'sips', 'tel']);

export function readRefer(refer: SipRequest): Referral | Refusal {
  const { headers } = refer;
  const referTo = nameAddrOf(refer, 'Refer-To');
  const uri = referTo === undefined ? undefined : parseUri(referTo.uri);
  // RFC 3515, 2.4.2: exactly one Refer-To.
  if (headers.all('Refer-To').length !== 1 || uri === undefined)
    return { status: 400, reason: 'One Refer-To is needed' };
  // RFC 3892, 3: at most one Referred-By.
  if (headers.all('Referred-By').length > 1) return { status: 400, reason: 'One Referred-By at most' };
  if (!SCHEMES.has(uri.scheme)) return { status: 416, reason: 'Refer-To is neither sip, sips nor tel' };
  const method = uri.params.get('method') ?? 'INVITE';
  if (method !== 'INVITE') return { status: 501, reason: 'Only an INVITE is made' };
  const written = uri.headers.get('replaces');
  const replaces = written === undefined ? undefined : parseReplaces(written);
  if (written !== undefined && replaces === undefined)
    return { status: 400, reason: 'Replaces needs a Call-ID, to-tag and from-tag' };
  return {
    number: numberIn(uri),
    ...(replaces === undefined ? {} : { replaces }),
    wantsProgress: headers.get('Refer-Sub')?.trim().toLowerCase() !== 'false',
  };
}

/** The number that a URI asks for: without the parameters that some phones write into the user part. */
export function numberIn({ user }: SipUri): string {
  return (user ?? '').split(';', 1)[0] ?? '';
}
