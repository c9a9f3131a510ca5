// Plays dead: swallows new INVITEs before the user agent could say even 100. All else passes. Knows no calls.

import { toOf } from '../sip/fields.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import type { SipRequest } from '../sip/message.ts';
import { tagOf } from '../sip/name-addr.ts';
import { parseMessage } from '../sip/parse.ts';

const INVITE = new TextEncoder().encode('INVITE ');

export class SilentEar implements FlowListener {
  readonly #listener: FlowListener;
  readonly #isSilent: (invite: () => SipRequest | undefined) => boolean;

  /** `isSilent` gets the INVITE on demand: reading it is spared when the phone talks to everybody. */
  constructor(listener: FlowListener, isSilent: (invite: () => SipRequest | undefined) => boolean) {
    this.#listener = listener;
    this.#isSilent = isSilent;
  }

  received(flow: Flow, bytes: Uint8Array): void {
    if (isInvite(bytes)) {
      const invite = once(() => outsideDialog(bytes));
      if (this.#isSilent(invite) && invite() !== undefined) return;
    }
    this.#listener.received(flow, bytes);
  }

  closed(flow: Flow, why: string): void {
    this.#listener.closed(flow, why);
  }
}

function isInvite(bytes: Uint8Array): boolean {
  return INVITE.every((byte, index) => bytes[index] === byte);
}

/** The INVITE, unless it belongs to a dialog or cannot be read. */
function outsideDialog(bytes: Uint8Array): SipRequest | undefined {
  const parsed = parseMessage(bytes);
  if (!parsed.ok || parsed.message.kind !== 'request') return undefined;
  const to = toOf(parsed.message);
  return to !== undefined && tagOf(to) === undefined ? parsed.message : undefined;
}

function once<T>(fn: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: fn() };
    return result.value;
  };
}
