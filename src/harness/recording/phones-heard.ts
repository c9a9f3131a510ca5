// What people did at their phones, concluded from SIP messages: simulated phones and real ones are heard alike. Knows no journal and no call of the API.
import type { PhoneMessage } from '../drivers/phone-driver.ts';
import { headerOf, userIn } from '../drivers/sip-reading.ts';
import type { HeardAct, Meeting, Note, PartyKey } from './heard.ts';
import type { Roster } from './roster.ts';

/** Keys pressed within this time of each other are one act, ms. */
const KEYS_TOGETHER_MS = 1000;

export interface Passing {
  readonly seq: number;
  readonly at: number;
  readonly flow: string;
  readonly customerId: number | null;
  readonly callId: number | null;
  readonly message: PhoneMessage;
}

interface Dialog {
  readonly party: PartyKey;
  readonly callId: number | null;
  state: 'calling' | 'ringback' | 'ringing' | 'connected' | 'ended';
  held: boolean;
  /** A NOTIFY told the phone what to do: the next thing that it does is no act of its user (RFC 3515; broadsoft's hold and talk). */
  told: boolean;
  referred: boolean;
  asked?: { readonly seq: number; readonly at: number; readonly act: 'hold' | 'resume' };
  meeting?: { readonly seq: number; readonly at: number; how?: Meeting['how']; afterMs: number; answered: boolean };
}

const REFUSALS: Readonly<Record<number, 'busy' | 'decline' | 'unavailable'>> = {
  480: 'unavailable',
  486: 'busy',
  600: 'busy',
  603: 'decline',
};

export class PhonesHeard {
  readonly acts: HeardAct[] = [];
  readonly notes: Note[] = [];
  readonly #roster: Roster;
  readonly #dialogs = new Map<string, Dialog>();
  readonly #registered = new Map<PartyKey, boolean>();
  readonly #registering = new Map<string, { readonly seq: number; readonly at: number; readonly on: boolean }>();
  readonly #strange = new Set<string>();

  constructor(roster: Roster) {
    this.#roster = roster;
    for (const user of roster.users) this.#registered.set(`user:${user.id}`, user.registered);
  }

  get meetings(): Meeting[] {
    return [...this.#dialogs.values()].flatMap(({ party, meeting }): Meeting[] => {
      if (meeting === undefined) return [];
      const { seq, at, how, afterMs, answered } = meeting;
      return [{ party, seq, at, afterMs, how: how ?? (answered ? 'ring' : 'silent') }];
    });
  }

  /** Of each call that goes on one phone: when it hangs up, the others need not. */
  get talking(): PartyKey[] {
    const open = [...this.#dialogs.values()].filter(({ state }) => state !== 'ended');
    return [...new Map(open.reverse().map(({ callId, party }) => [callId, party])).values()];
  }

  take(passing: Passing): void {
    const { message, flow } = passing;
    if (message.method === 'REGISTER') return this.#register(passing);
    const key = `${flow} ${message.sipCallId}`;
    const dialog = this.#dialogs.get(key);
    if (dialog !== undefined) return this.#follow(dialog, passing);
    if (message.status !== undefined || ['OPTIONS', 'NOTIFY', 'ACK'].includes(message.method)) return;
    const isNew =
      message.method === 'INVITE' &&
      !/;\s*tag=/.test(headerOf(message.text, 'To') ?? headerOf(message.text, 't') ?? '');
    if (!isNew) return this.#wonder(key, passing, 'A call that was under way when the recording began is left out.');
    const party = this.#partyOf(passing);
    if (party === undefined) {
      return this.#wonder(
        key,
        passing,
        'A call of somebody who has neither an extension nor a public number is left out.',
      );
    }
    this.#begin(key, party, passing);
  }

  #begin(key: string, party: PartyKey, { seq, at, callId, message }: Passing): void {
    const dialog: Dialog = { party, callId, state: 'calling', held: false, told: false, referred: false };
    this.#dialogs.set(key, dialog);
    if (message.direction === 'received') {
      dialog.state = 'ringing';
      dialog.meeting = { seq, at, afterMs: 0, answered: false };
      return;
    }
    this.acts.push({ seq, at, party, callId, act: 'call', to: dialledIn(message.text) });
  }

  #follow(dialog: Dialog, passing: Passing): void {
    const { message } = passing;
    if (message.status !== undefined) return this.#answered(dialog, passing, message.status);
    if (message.direction === 'received') return this.#received(dialog, message);
    this.#sent(dialog, passing);
  }

  #received(dialog: Dialog, { method, text }: PhoneMessage): void {
    if (method === 'BYE') dialog.state = 'ended';
    if (method === 'NOTIFY' && /^(hold|talk)\b/i.test(headerOf(text, 'Event') ?? headerOf(text, 'o') ?? '')) {
      dialog.told = true;
    }
    if (method === 'CANCEL') {
      dialog.state = 'ended';
      // Who had said something when the caller gave up was ringing.
      if (dialog.meeting?.answered === true) dialog.meeting.how ??= 'ring';
    }
  }

  #sent(dialog: Dialog, { seq, at, message }: Passing): void {
    const { party, callId } = dialog;
    switch (message.method) {
      case 'INVITE':
        if (dialog.state === 'connected') this.#reinvite(dialog, seq, at, message);
        return;
      case 'CANCEL':
      case 'BYE':
        if (dialog.state === 'ended') return;
        // After a transfer the phone lets go by itself.
        if (!dialog.referred) this.acts.push({ seq, at, party, callId, act: 'hang_up', ...during(dialog) });
        dialog.state = 'ended';
        return;
      case 'REFER':
        this.#refer(dialog, seq, at, message);
        return;
      case 'INFO':
        this.#key(dialog, seq, at, message);
        return;
      default:
        return;
    }
  }

  #reinvite(dialog: Dialog, seq: number, at: number, { sdp }: PhoneMessage): void {
    const holds = sdp === 'sendonly' || sdp === 'inactive';
    if (dialog.told) {
      dialog.told = false;
      dialog.held = holds;
      return;
    }
    if (holds !== dialog.held) dialog.asked = { seq, at, act: holds ? 'hold' : 'resume' };
  }

  #refer(dialog: Dialog, seq: number, at: number, { text }: PhoneMessage): void {
    const { party, callId } = dialog;
    const target = headerOf(text, 'Refer-To') ?? headerOf(text, 'r') ?? '';
    const to = /sips?:([^@;>]+)@/i.exec(target)?.[1];
    dialog.referred = true;
    if (/Replaces=[^>]*to-tag/i.test(target)) {
      this.acts.push({ seq, at, party, callId, act: 'join' });
      return;
    }
    if (to === undefined || /Replaces=/i.test(target)) {
      this.notes.push({ seq, at, text: 'A transfer (REFER) that names nobody: no phone of a scenario does that.' });
      return;
    }
    this.acts.push({ seq, at, party, callId, act: 'transfer', to: decoded(to) });
  }

  #key({ party, callId }: Dialog, seq: number, at: number, { text }: PhoneMessage): void {
    const key = /^Signal\s*=\s*([0-9*#A-D])\s*$/im.exec(text)?.[1];
    if (key === undefined) return;
    const last = this.acts.at(-1);
    const keys = last?.digits?.length ?? 0;
    if (last?.act === 'digits' && last.party === party && at - last.at <= keys * KEYS_TOGETHER_MS) {
      this.acts[this.acts.length - 1] = { ...last, digits: `${last.digits}${key}` };
    } else {
      this.acts.push({ seq, at, party, callId, act: 'digits', digits: key });
    }
  }

  #answered(dialog: Dialog, { seq, at, message }: Passing, status: number): void {
    const { method, direction } = message;
    if (method === 'REFER' && direction === 'received' && status >= 300) dialog.referred = false;
    if (method !== 'INVITE') return;
    if (direction === 'sent') return this.#answers(dialog, seq, at, status);
    if (dialog.asked !== undefined && status >= 200) {
      if (status < 300) {
        dialog.held = dialog.asked.act === 'hold';
        this.acts.push({ ...dialog.asked, party: dialog.party, callId: dialog.callId });
      }
      delete dialog.asked;
      return;
    }
    if (dialog.state === 'connected' || dialog.state === 'ended' || status <= 100) return;
    if (status < 200) dialog.state = 'ringback';
    else if (status < 300) dialog.state = 'connected';
    else if (status !== 401 && status !== 407) dialog.state = 'ended';
  }

  /** What the called phone says to an INVITE. */
  #answers(dialog: Dialog, seq: number, at: number, status: number): void {
    const { meeting, party, callId } = dialog;
    if (meeting === undefined || dialog.state !== 'ringing') return;
    meeting.answered = true;
    if (status < 200) return;
    dialog.state = status < 300 ? 'connected' : 'ended';
    if (status < 300) {
      meeting.how = 'ring';
      if (!dialog.told) this.acts.push({ seq, at, party, callId, act: 'answer', since: meeting.at });
      dialog.told = false;
      return;
    }
    const word = REFUSALS[status];
    const rangMs = at - meeting.at;
    if (word === 'decline' && rangMs > 0) {
      meeting.how = 'ring';
      this.acts.push({ seq, at, party, callId, act: 'reject', since: meeting.at });
      return;
    }
    meeting.how = word ?? status;
    if (word === undefined && party.startsWith('user:')) {
      this.notes.push({ seq, at, text: `A phone refused with ${status}: one of a scenario refuses with 480 instead.` });
    }
    meeting.afterMs = rangMs;
  }

  #register({ seq, at, flow, customerId, message }: Passing): void {
    const key = `${flow} ${message.sipCallId}`;
    if (message.status === undefined) {
      if (message.direction === 'sent')
        this.#registering.set(key, {
          seq,
          at,
          on: !/(^|\r\n|;)\s*expires\s*[:=]\s*0\s*(\r\n|;|$)/i.test(message.text),
        });
      return;
    }
    const asked = this.#registering.get(key);
    const user = this.#userIn(message.text, 'To', customerId);
    if (asked === undefined || user === undefined || message.status >= 300) return;
    const party: PartyKey = `user:${user}`;
    if (this.#registered.get(party) !== asked.on) {
      this.acts.push({ seq: asked.seq, at: asked.at, party, callId: null, act: asked.on ? 'register' : 'unregister' });
    }
    this.#registered.set(party, asked.on);
  }

  /** Whose phone it is that sent the INVITE, or got it. */
  #partyOf({ message, customerId }: Passing): PartyKey | undefined {
    const sent = message.direction === 'sent';
    const named = sent ? userIn(message.text, 'From') : dialledIn(message.text);
    const user = this.#roster.bySip(named)?.id ?? this.#userIn(message.text, sent ? 'From' : 'To', customerId);
    if (user !== undefined) return `user:${user}`;
    const number = /^\+?([1-9]\d{4,14})$/.exec(named)?.[1];
    return number === undefined ? undefined : `outside:+${number}`;
  }

  #userIn(text: string, header: 'From' | 'To', customerId: number | null): number | undefined {
    const name = userIn(text, header);
    return (this.#roster.bySip(name) ?? this.#roster.byExt(name, customerId))?.id;
  }

  #wonder(key: string, { seq, at }: Passing, text: string): void {
    if (!this.#strange.has(key)) this.notes.push({ seq, at, text });
    this.#strange.add(key);
  }
}

function during({ state, held }: Dialog): Pick<HeardAct, 'during'> {
  if (state === 'connected') return { during: held ? 'holding' : 'connected' };
  return state === 'ringback' ? { during: state } : {};
}

/** Of the request line: what was keyed in. */
function dialledIn(text: string): string {
  return decoded(/^INVITE sips?:([^@;>\s]+)@/i.exec(text)?.[1] ?? '');
}

/** Without percent-encoding; as it is when that is broken. */
export function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
