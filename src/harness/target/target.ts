// What is judged, as the harness gets it: addresses, credentials, and what the target lets be done to it. Knows no simulator. Data.

import type { Capability } from '../../contract/clause.ts';
import type { UserName } from '../language/document.ts';
import type { Touch } from './what-it-takes.ts';

export interface TargetUser {
  readonly id: number;
  /** API key or user token; null for a user who has none. */
  readonly key: string | null;
  readonly customerId?: number;
  readonly email?: string;
  readonly password?: string;
  readonly ext?: string;
  /** The public number that rings the user, E.164 with `+`. */
  readonly number?: string;
  readonly sip?: { readonly username: string; readonly password: string };
}

export interface ControlAccess {
  /** URL that ends in `/_sim`. */
  readonly root: string;
  readonly token?: string;
}

/** Where phones of our own register. Addresses are `host:port`, `ws` a URL. */
export interface SipAccess {
  readonly domain: string;
  readonly udp?: string;
  readonly tcp?: string;
  readonly ws?: string;
}

/** How webhooks are set up: by the control API, or once by a person, to whom the harness shows its URL. */
export type WebhookAccess =
  | { readonly how: 'control' }
  | {
      readonly how: 'by_hand';
      /** Where the harness listens for what reaches `url`. */
      readonly listen: { readonly host: string; readonly port: number };
    };

export interface Target {
  /** As reports call it: `fresh simulator`, or the API root. */
  readonly name: string;
  readonly apiRoot: string;
  readonly users: Readonly<Partial<Record<UserName, TargetUser>>>;
  readonly control?: ControlAccess;
  readonly sip?: SipAccess;
  readonly webhooks?: WebhookAccess;
  /** `manual`: time stands still until the control API moves it. */
  readonly time: 'manual' | 'real';
  /** Made for one scenario and thrown away after it: nothing need be put back. */
  readonly fresh: boolean;
  /** What it says that it has not. */
  readonly lacks?: readonly Capability[];
  /** What may be done to it; everything if not said. */
  readonly allow?: readonly Touch[];
  /** What the state of a live call is shown as; absent where nobody has said what its own numbers and words mean. */
  readonly callStates?: Readonly<Record<string, number | string>>;
  /** Ids of records that the API does not make and perhaps does not list, by the path of their list: `/mohs`. They are read, never changed. */
  readonly known?: Readonly<Record<string, readonly (number | string)[]>>;
  /** Operations that it says it has not: operation ids, or paths as published. */
  readonly absent?: readonly string[];
  /** Operations that the restricted user may not use, where somebody has said so. */
  readonly denied?: readonly string[];
  /** Members of records that are as a configure step would set them. */
  readonly presets?: readonly Preset[];
}

export interface Preset {
  readonly configure: string;
  readonly id: number | string;
  readonly set: Readonly<Record<string, unknown>>;
}

/** `host:port`, the host perhaps in brackets. */
export function addressOf(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}
