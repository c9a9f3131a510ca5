// A scenario's phone as the runner sees it, whatever drives it: what its user does, what it has seen, how it is waited on. Knows no target, no scenario and no SIP stack.

/** `sim`: the simulator's handsets, through its control API. `sip`: user agents of our own that register at the target. */
export type DriverName = 'sim' | 'sip';

/** A user's phone: the extension it is called at, and what it registers with. */
export interface PhoneLine {
  /** What the scenario calls it. */
  readonly name: string;
  readonly customerId?: number;
  readonly userId: number;
  readonly ext: string;
  /** Absent when the target did not say: the `sip` driver cannot do without. */
  readonly sip?: { readonly username: string; readonly password: string };
}

/** Somebody on the public network: reached and acting by number. */
export interface OutsideLine {
  readonly name: string;
  /** E.164 with `+`. */
  readonly number: string;
}

/** How calls are met from now on. `busy` 486, `decline` 603, `unavailable` 480; `early_media` 183 with SDP, then 200; `ring` waits for its user; `silent` says nothing at all. */
export interface WhenCalled {
  readonly on_call: 'ring' | 'answer' | 'busy' | 'decline' | 'unavailable' | 'silent' | 'early_media' | 'redirect';
  /** Rings so long first: ms of the target's time. Default 0. */
  readonly after_ms?: number;
  /** Where `redirect` (302) sends the caller: an extension or a number. */
  readonly to?: string;
}

export type RefusalStatus = 486 | 603 | 480;

/** What a user does in one go. `call`, `transfer`: `to` is an extension or a number as it is keyed in. */
export type PhoneAct =
  /** `late`: the INVITE carries no offer, and the ACK the answer (RFC 3264, 4). */
  | { readonly act: 'call'; readonly to: string; readonly offer?: 'late' }
  | { readonly act: 'answer' }
  | { readonly act: 'reject'; readonly status: RefusalStatus }
  /** `by`: in place of a re-INVITE (RFC 3311). */
  | { readonly act: 'hold'; readonly by?: 'UPDATE' }
  | { readonly act: 'resume'; readonly by?: 'UPDATE' }
  | { readonly act: 'transfer'; readonly to: string }
  /** Attended: the party on hold goes to whom the user talks to, or calls, on the newest of the other calls. */
  | { readonly act: 'join' }
  | { readonly act: 'digits'; readonly digits: string }
  | { readonly act: 'hang_up' }
  /** `expires_s`: for how long is asked. */
  | { readonly act: 'register'; readonly expires_s?: number }
  | { readonly act: 'unregister' }
  /** Gone without a word: no BYE, no REGISTER with Expires 0, no answer to anything from now on. */
  | { readonly act: 'vanish' };

export type ActName = PhoneAct['act'];

/** Done means sent (and, for `register` and `unregister`, answered 2xx); what came of it is seen in `view` and `messages`. */
export type ActOutcome =
  | {
      readonly done: true;
      /** The target's id of the call that `call` made, where the driver learns it: the `sip` driver does not. */
      readonly callId?: number;
    }
  /** `why`: one sentence, such as the status that the registrar answered. */
  | { readonly done: false; readonly why: string };

/** `calling`: INVITE sent. `ringback`: a 18x came. `ringing`: it rings here. `connected`: answered. `transferring`: REFER sent. */
export type PhoneCallState = 'calling' | 'ringback' | 'ringing' | 'connected' | 'transferring';

export interface PhoneCallView {
  readonly sipCallId: string;
  readonly state: PhoneCallState;
  /** Held by this phone. */
  readonly held: boolean;
  /** Whom it talks to, as its display shows it. */
  readonly peer: string;
}

export interface PhoneView {
  readonly registered: boolean;
  /** Those that have not ended, oldest first. */
  readonly calls: readonly PhoneCallView[];
}

export type SdpDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** One SIP message at the phone. */
export interface PhoneMessage {
  readonly direction: 'sent' | 'received';
  /** Of a response: the method of its CSeq. */
  readonly method: string;
  /** Absent in requests. */
  readonly status?: number;
  readonly sipCallId: string;
  /** Of its first audio stream; absent without SDP. */
  readonly sdp?: SdpDirection;
  /** Head and body as they were on the wire. */
  readonly text: string;
}

export interface ScenarioPhone {
  readonly name: string;
  /** `call` on a phone that is called means this: the extension, or the number of somebody outside. */
  readonly number: string;
  /** Holds for calls that come from now on. */
  whenCalled(conduct: WhenCalled): Promise<ActOutcome>;
  /**
   * Does it now, without waiting for a state: the runner has waited for `view` to allow it. With several calls it means
   * the one that a user would: the one that rings, the one that is held, else the newest that is talked on.
   */
  act(act: PhoneAct): Promise<ActOutcome>;
  view(): Promise<PhoneView>;
  /** Everything since the phone was opened, oldest first, retransmissions included. */
  messages(): Promise<readonly PhoneMessage[]>;
  /**
   * Tells when `view` or `messages` may have changed; the result ends it. A driver whose phones only move when the
   * runner moves the clock never calls: the runner looks after every move.
   */
  onChange(listener: () => void): () => void;
  /** Ends its calls, leaves the target as it was, and frees what it holds. Never rejects; harmless when closed already. */
  close(): Promise<void>;
}

/** Makes phones. A promise that rejects with `PhoneTrouble` blocks the scenario: its prerequisite is not met. */
export interface PhoneDriver {
  readonly name: DriverName;
  /** Resolves when the phone is registered and takes calls as `conduct` says. */
  open(line: PhoneLine, conduct: WhenCalled): Promise<ScenarioPhone>;
  /** After all its phones are closed. Never rejects. */
  close(): Promise<void>;
}

/** A phone could not be had: the message is a sentence for whoever reads the report. */
export class PhoneTrouble extends Error {
  override readonly name = 'PhoneTrouble';
}
