// What a SUBSCRIBE says: the event package, its id, for how long (RFC 6665, 4.1.2 and 8.2). Keeps no state.
import { type Params, parseParams } from './header-lists.ts';
import { ownText } from './headers.ts';
import type { SipRequest } from './message.ts';
import type { ServerRequest } from './user-agent-api.ts';
import type { Refusal } from './validate.ts';

/** Seconds that a subscription lasts when the SUBSCRIBE names none (RFC 3842, 4.3 and RFC 4235, 3.4 say one hour), at least and at most. */
export const SUBSCRIPTION_S = 3600;
export const MIN_SUBSCRIPTION_S = 60;
export const MAX_SUBSCRIPTION_S = 86_400;

export interface EventName {
  /** In small letters. */
  readonly eventPackage: string;
  /** Tells two subscriptions of one dialog apart; empty without one. */
  readonly id: string;
  /** Package and id again, as a NOTIFY names them. */
  readonly written: string;
}

/** The Event header; undefined when it is absent or malformed. */
export function readEvent(request: SipRequest): EventName | undefined {
  const value = request.headers.get('Event');
  if (value === undefined) return undefined;
  const semicolon = value.indexOf(';');
  const name = (semicolon < 0 ? value : value.slice(0, semicolon)).trim();
  const params: Params | undefined = semicolon < 0 ? new Map() : parseParams(value, semicolon);
  if (params === undefined || !/^[\w\-!%*+`'~]+(?:\.[\w\-!%*+`'~]+)*$/.test(name)) return undefined;
  const given = params.get('id');
  const id = typeof given === 'string' ? ownText(given) : '';
  const eventPackage = ownText(name.toLowerCase());
  return { eventPackage, id, written: id === '' ? eventPackage : `${eventPackage};id=${id}` };
}

/** The package in which a transferor hears of its transfer (RFC 3515): it is subscribed to by REFER alone. */
const REFER_EVENT = 'refer';

/**
 * Answers a SUBSCRIBE within an INVITE's dialog. Both would share that dialog, which RFC 6665, 4.5.2 lets us refuse with 403: the
 * subscriber tries again with a dialog of its own.
 */
export function refuseWithin(
  { eventPackages }: { readonly eventPackages: readonly string[] },
  request: ServerRequest,
): void {
  const eventPackage = readEvent(request.request)?.eventPackage ?? '';
  if (eventPackage === REFER_EVENT || eventPackages.includes(eventPackage)) request.respond(403);
  else request.respond(489, { headers: [['Allow-Events', eventPackages.join(', ')]] });
}

/** 423 to a wish that is too short, 400 to one that is no number, or undefined. 0 asks for no lasting interest and is never too short. */
export function refusalOfTimes(request: SipRequest): Refusal | undefined {
  const value = request.headers.get('Expires');
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value)) return { status: 400, reason: 'Malformed Expires' };
  const seconds = Number(value);
  if (seconds === 0 || seconds >= MIN_SUBSCRIPTION_S) return undefined;
  return { status: 423, reason: 'Interval Too Brief', headers: [['Min-Expires', String(MIN_SUBSCRIPTION_S)]] };
}

/** How long it will last: what was asked for, and at most a day. */
export function secondsWanted(request: SipRequest): number {
  const value = request.headers.get('Expires');
  return value === undefined ? SUBSCRIPTION_S : Math.min(Number(value), MAX_SUBSCRIPTION_S);
}
