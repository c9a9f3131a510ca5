// What traffic needs of a world: its phones, its public network, its messages, its records. Types only.
import type { Clock } from '../kernel/clock.ts';
import type { Result } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import type { Exchange } from '../pbx/face.ts';
import type { Carrier } from '../phones/carrier.ts';
import type { Fleet } from '../phones/fleet.ts';
import type { Store } from '../store/store.ts';

export interface TrafficPorts {
  readonly clock: Pick<Clock, 'mode' | 'now' | 'after'>;
  readonly random: Random;
  readonly journal: Pick<Journal, 'append' | 'within'>;
  readonly store: Pick<
    Store,
    'callmebacksettings' | 'conferences' | 'contacts' | 'customers' | 'ddis' | 'ivrs' | 'queues' | 'users'
  >;
  readonly phones: Pick<Fleet, 'act' | 'behaveOnce' | 'isFree' | 'list'>;
  readonly carrier: Pick<Carrier, 'act' | 'call'>;
  readonly exchange: Pick<
    Exchange,
    | 'callIdOfDialog'
    | 'changeCall'
    | 'chats'
    | 'clickToCall'
    | 'leadCall'
    | 'liveCall'
    | 'receiveSms'
    | 'sendFax'
    | 'sendSms'
    | 'webCall'
    | 'widgets'
  >;
  /** Calls that are live now, whoever made them. */
  readonly liveCalls: () => number;
}

/** The dial of the generator, as the control API and the library turn it. */
export interface TrafficDial {
  /** `30/min`, or `off`; what has been begun since the world began, and what was left out because nobody was free. */
  readonly state: TrafficState;
  /** `invalid` names what is wrong with the rate, `conflict` says why there can be none. */
  setRate(text: string): Result<TrafficState>;
}

export interface TrafficState {
  readonly rate: string;
  readonly begun: number;
  readonly skipped: number;
}
