// How long a session lasts without word from either side, and who has to give it (RFC 4028). Knows no SDP: a refresh repeats what was said last.
import type { Timer } from '../kernel/clock.ts';
import { tokensOf } from './fields.ts';
import { parseParams } from './header-lists.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import type { HeaderList, OfferSource, Outcome } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

/** The shortest interval that RFC 4028, 4 allows, in seconds; to less 422 is owed. */
export const MIN_SE_S = 90;
/** Longer wishes are cut to this: nobody refreshes once a month. */
const MAX_SE_S = 86_400;
/** Intervals that a peer may refuse as too short before it is left alone. */
const MAX_RAISES = 3;

/** A refresh that was refused is not tried again more often than this. */
const LEAST_PAUSE_MS = 5_000;
/** That a call goes on is no reason for a fast clock to jump. */
const BACKGROUND = { background: true };

export interface SessionExpires {
  readonly seconds: number;
  readonly refresher: 'uac' | 'uas' | undefined;
}

/** The Session-Expires header; `malformed` when it is no number of seconds, undefined when it is absent. */
export function sessionExpiresOf(message: SipMessage): SessionExpires | 'malformed' | undefined {
  const value = message.headers.get('Session-Expires');
  if (value === undefined) return undefined;
  const semicolon = value.indexOf(';');
  const digits = (semicolon < 0 ? value : value.slice(0, semicolon)).trim();
  const params = semicolon < 0 ? undefined : parseParams(value, semicolon);
  if (!/^\d{1,10}$/.test(digits) || (semicolon >= 0 && params === undefined)) return 'malformed';
  const named = params?.get('refresher');
  const refresher = named === 'uac' || named === 'uas' ? named : undefined;
  return { seconds: Number(digits), refresher };
}

/** Min-SE: the least that its sender takes; 0 when it says nothing of it. */
function minSeOf({ headers }: SipMessage): number {
  return Number(/^\d{1,6}/.exec(headers.get('Min-SE')?.trim() ?? '')?.[0] ?? 0);
}

/** What a timer needs of its session. */
export interface TimedSession {
  readonly core: Core;
  readonly callId: string;
  /** The peer takes UPDATE: the lighter refresh. */
  readonly takesUpdate: boolean;
  /** The session description that we sent last; empty when there was none. */
  readonly described: string;
  update(sdp: OfferSource, onOutcome: (outcome: Outcome) => void): void;
  reinvite(sdp: OfferSource, onOutcome: (outcome: Outcome) => void): void;
  /** Nobody gave word in time, or a refresh got no answer: BYE, and the session is over. */
  expired(): void;
}

export class SessionTimer {
  readonly #session: TimedSession;
  /** What we want ourselves; 0 leaves it to the peer. */
  readonly #wantedS: number;
  #intervalS = 0;
  /** What the peer asked for at least; 0 when it asked for nothing. */
  #minS = 0;
  #isOurTurn = false;
  #refresh: Timer | undefined;
  #expiry: Timer | undefined;
  /** When we hang up unless somebody gives word; ms since 1970. */
  #endsAt = 0;
  #raises = 0;

  constructor(session: TimedSession, wantedS: number) {
    this.#session = session;
    this.#wantedS = wantedS;
    this.#intervalS = wantedS;
    this.#isOurTurn = wantedS > 0;
  }

  /** What an INVITE or UPDATE of ours says. */
  asking(): HeaderList {
    if (this.#intervalS === 0) return [];
    const refresher = this.#isOurTurn ? 'uac' : 'uas';
    const expires = ['Session-Expires', `${this.#intervalS};refresher=${refresher}`] as const;
    return this.#minS === 0 ? [expires] : [expires, ['Min-SE', String(this.#minS)]];
  }

  /**
   * The 2xx to a request of ours: without the header the peer sets no limit (RFC 4028, 7.2). What we want ourselves holds all the
   * same: we refresh, as we would if a proxy between us wanted it (8.2).
   */
  accepted(response: SipResponse): void {
    const expires = sessionExpiresOf(response);
    if (expires !== undefined && expires !== 'malformed') this.#start(expires.seconds, expires.refresher !== 'uas');
    else if (this.#wantedS > 0) this.#start(Math.max(this.#wantedS, this.#minS), true);
    else this.stop();
  }

  /** 422 to a request of ours: true when it may go again, asking for what the peer wants (RFC 4028, 7.4). */
  raise(response: SipResponse): boolean {
    const least = minSeOf(response);
    if (!(least > this.#intervalS) || this.#intervalS === 0 || this.#raises === MAX_RAISES) return false;
    this.#raises += 1;
    this.#minS = least;
    this.#intervalS = least;
    return true;
  }

  /** What our 2xx to a request of the peer says, and so what holds from now on (RFC 4028, 9). */
  answering(request: SipRequest): HeaderList {
    const supports = tokensOf(request, 'Supported').concat(tokensOf(request, 'Require')).includes('timer');
    const named = sessionExpiresOf(request);
    const asked = named === 'malformed' ? undefined : named;
    const goesOn = this.#expiry !== undefined && supports;
    const wishS = asked?.seconds ?? (goesOn ? this.#intervalS : this.#wantedS);
    if (wishS === 0) {
      this.stop();
      return [];
    }
    // RFC 4028, 9: shorter than the peer asked for is allowed, but not than it names as the least.
    const mostS = Math.min(wishS, this.#wantedS || MAX_SE_S, MAX_SE_S);
    const seconds = asked === undefined && goesOn ? wishS : Math.max(mostS, minSeOf(request));
    const usual = asked === undefined && this.#isOurTurn ? 'uas' : 'uac';
    // Who does not know of timers does not refresh: we or some hop between us wanted it.
    const refresher = supports ? (asked?.refresher ?? usual) : 'uas';
    this.#start(seconds, refresher === 'uas');
    const expires = ['Session-Expires', `${seconds};refresher=${refresher}`] as const;
    return supports ? [expires, ['Require', 'timer']] : [expires];
  }

  stop(): void {
    this.#intervalS = 0;
    this.#cancel();
  }

  #cancel(): void {
    this.#refresh?.cancel();
    this.#expiry?.cancel();
    this.#refresh = undefined;
    this.#expiry = undefined;
  }

  #start(seconds: number, isOurTurn: boolean): void {
    this.#cancel();
    this.#intervalS = Math.max(seconds, MIN_SE_S);
    this.#isOurTurn = isOurTurn;
    const { core, callId } = this.#session;
    // RFC 4028, 10: half the interval for who refreshes; BYE a third of it, or 32 s, before its end.
    const lastMs = (this.#intervalS - Math.min(32, this.#intervalS / 3)) * 1000;
    if (isOurTurn) this.#refreshIn(this.#intervalS * 500);
    this.#endsAt = core.clock.now() + lastMs;
    const expire = (): void => this.#session.expired();
    this.#expiry = core.clock.after(lastMs, `session ${callId} expires`, expire, BACKGROUND);
  }

  #refreshAgain(): void {
    const pauseMs = (this.#endsAt - this.#session.core.clock.now()) / 2;
    if (pauseMs >= LEAST_PAUSE_MS && this.#expiry !== undefined) this.#refreshIn(pauseMs);
  }

  #refreshIn(ms: number): void {
    const { core, callId } = this.#session;
    this.#refresh?.cancel();
    this.#refresh = core.clock.after(ms, `refresh session ${callId}`, () => this.#refreshNow(), BACKGROUND);
  }

  #refreshNow(): void {
    const session = this.#session;
    // A refusal changes nothing: it is tried again until the session expires, unless the peer does not know it any more (481) or is not there.
    const onOutcome = ({ status, response }: Outcome): void => {
      if (status === 422 && response !== undefined && this.raise(response)) this.#refreshNow();
      else if (status === 408) session.expired();
      else if (status >= 300) this.#refreshAgain();
    };
    if (session.takesUpdate || session.described === '') session.update(undefined, onOutcome);
    else session.reinvite(() => session.described, onOutcome);
  }
}
