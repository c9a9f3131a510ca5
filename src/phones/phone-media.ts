// The one audio stream of a phone's call: its offers and answers (RFC 3264). Opens no port and knows no dialog.
import { LocalDescription, type LocalStream } from '../sip/offer-answer.ts';
import { chooseAudioCodec, isHold, parseSdp } from '../sip/sdp.ts';
import { VIRTUAL_ADDRESS } from './virtual-ports.ts';

/** What the phones can speak, best first. */
export const PHONE_CODECS = ['PCMU', 'PCMA'] as const;

export class PhoneMedia {
  readonly #description: LocalDescription;
  readonly #port: number;
  #peerHolds = false;
  #codec = '';

  /** `sessionId`: decimal digits for the o= line. */
  constructor(sessionId: string, port: number) {
    this.#description = new LocalDescription(sessionId);
    this.#port = port;
  }

  /** The peer's last description put us on hold. */
  get peerHolds(): boolean {
    return this.#peerHolds;
  }

  /** As agreed; empty before. */
  get codec(): string {
    return this.#codec;
  }

  /** An offer: sendonly to hold the other party, else sendrecv. */
  offer(hold: boolean): string {
    return this.#description.offer(this.#stream(hold));
  }

  /** The answer to a peer's offer, held back as far as we hold; undefined: no codec in common, 488 is owed. */
  answer(offer: string, hold: boolean): string | undefined {
    const session = parseSdp(offer);
    if (session === undefined) return undefined;
    const answer = this.#description.answer(session, this.#stream(hold));
    if (answer === undefined) return undefined;
    this.#peerHolds = isHold(session);
    this.#codec = chooseAudioCodec(session, PHONE_CODECS)?.name ?? '';
    return answer;
  }

  /** Takes the peer's answer to an offer of ours. False: it accepts nothing that we offered. */
  take(answer: string): boolean {
    const session = parseSdp(answer);
    if (session === undefined) return false;
    const codec = chooseAudioCodec(session, PHONE_CODECS);
    if (codec === undefined) return false;
    this.#codec = codec.name;
    this.#peerHolds = isHold(session);
    return true;
  }

  #stream(hold: boolean): LocalStream {
    const direction = hold ? 'sendonly' : 'sendrecv';
    return { address: VIRTUAL_ADDRESS, port: this.#port, direction, codecs: PHONE_CODECS, dtmf: true };
  }
}
