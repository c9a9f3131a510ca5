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

  constructor(session: Session, party: Party, media: LegMedia) {
    this.session = session;
    this.party = party;
    this.media = media;
    session.owner = this;
  }

  get isUp(): boolean {
    return this.session.state !== 'terminated';
  }
}
