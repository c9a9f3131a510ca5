// The Replaces header: which dialog a new INVITE takes the place of (RFC 3891). Reads and writes it; knows no sessions.
import { type Params, parseParams } from './header-lists.ts';

/** A dialog as the peer that is asked to give it up sees it. */
export interface Replaces {
  readonly callId: string;
  /** The tag of whoever receives this header. */
  readonly toTag: string;
  /** The tag of its peer; `0` or empty when that one is too old to have any. */
  readonly fromTag: string;
  /** Only a dialog that still rings may be replaced. */
  readonly earlyOnly: boolean;
}

/** Undefined unless there are a Call-ID and both tags (RFC 3891, 6.1). */
export function parseReplaces(value: string): Replaces | undefined {
  const semicolon = value.indexOf(';');
  const callId = (semicolon < 0 ? value : value.slice(0, semicolon)).trim();
  const params: Params | undefined = semicolon < 0 ? undefined : parseParams(value, semicolon);
  const toTag = params?.get('to-tag');
  const fromTag = params?.get('from-tag');
  if (!/^[^\s,;]+$/.test(callId) || typeof toTag !== 'string' || typeof fromTag !== 'string') return undefined;
  if (toTag === '' || fromTag === '') return undefined;
  return { callId, toTag, fromTag, earlyOnly: params?.has('early-only') === true };
}

/** As the value of the header. In a Refer-To it is escaped besides: give it to `formatUri` as a header of the URI. */
export function formatReplaces({ callId, toTag, fromTag, earlyOnly }: Replaces): string {
  return `${callId};to-tag=${toTag};from-tag=${fromTag}${earlyOnly ? ';early-only' : ''}`;
}
