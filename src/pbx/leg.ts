// A leg: the SIP dialog between the exchange and one party of a call, with its media.
import type { Session } from '../sip/user-agent-api.ts';
import type { LegMedia } from './leg-media.ts';
import type { Party } from './party.ts';

export class Leg {
  readonly session: Session;
  readonly party: Party;
  readonly media: LegMedia;
  /** When it was answered, ms since 1970; its media session begins then. */
  answeredAt: number | null = null;
  /** User-Agent of the registration by which the party is reached; empty for a caller and for the trunk. */
  registeredProduct = '';
  /** Told of each key that the party presses; set by whoever of the exchange speaks to it. */
  onKey: ((digit: string) => void) | undefined;

  constructor(session: Session, party: Party, media: LegMedia) {
    this.session = session;
    this.party = party;
    this.media = media;
    session.owner = this;
  }

  /** The party's user agent: what it says in this call, else what it said when it registered (browsers answer without). */
  get product(): string {
    return this.session.remoteProduct || this.registeredProduct;
  }

  get isUp(): boolean {
    return this.session.state !== 'terminated';
  }
}
