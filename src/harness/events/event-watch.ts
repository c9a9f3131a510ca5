// Watches deliveries as they arrive: schema, meaning, repetition, order, time. Pure; knows no receiver and no clock.
import {
  type CallEventName,
  categories as categoryRows,
  type EventName,
  eventStates,
  payloads,
  type WebhookCategory,
} from '../../contract/events.ts';
import { parseUtc } from '../../kernel/time.ts';
import { objectIn } from '../json-text.ts';
import { misfits } from '../language/check-shape.ts';
import { CallSequence, isCallEvent } from './call-sequence.ts';

/** Event ids and calls that are remembered; the oldest are forgotten first. */
export const REMEMBERED = 100_000;
/** Times in events are whole seconds. */
const RESOLUTION_MS = 1000;

export interface Arrival {
  readonly contentType: string;
  /** Undefined when the body was too long to be kept. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** ms since 1970 on the sender's clock; undefined when nobody knows. */
  readonly nowMs: number | undefined;
}

export type Rule = 'schema' | 'state' | 'duplicate' | 'order' | 'late' | 'early';

export interface Violation {
  readonly rule: Rule;
  readonly message: string;
}

export type EventBody = Readonly<Record<string, unknown>>;

export interface Heard {
  /** Its event_name; empty when it has none. */
  readonly event: string;
  readonly callId: number | undefined;
  /** Undefined when it is no JSON object. */
  readonly body: EventBody | undefined;
  /** Only asked whether somebody answers at the URL. */
  readonly isTest: boolean;
  readonly violations: readonly Violation[];
}

export interface WatchOptions {
  /** What the webhook asked for. */
  readonly categories: readonly WebhookCategory[];
  /** An event that arrives later than this after its time is late. */
  readonly lateMs: number;
  /** When listening began, ms since 1970 on the sender's clock: calls that were there before are not known whole. */
  readonly sinceMs: number | undefined;
  /** The first delivery may be a test of the URL with any body: CHOICE-TEST-EVENT. */
  readonly foreignTest: boolean;
}

interface WatchedCall {
  readonly sequence: CallSequence;
  last: string;
  lastMs: number;
}

const schemas: ReadonlyMap<string, object> = new Map(
  Object.values(payloads).flatMap(({ events, schema }) => events.map((name): [string, object] => [name, schema])),
);
const KNOWN = [...schemas.keys()].filter((name) => name !== 'webhook.test');
/** The end of a call that was answered, or of one that rang for a group until another member answered. */
const EITHER = 'call.hangup';
/** Events of a call that nobody has answered. */
const UNANSWERED: readonly string[] = ['call.initial', 'call.ringing', 'call.missed', 'call.failed'];
/** CHOICE-EVENT-STATES accepts it. */
const ALSO: Readonly<Partial<Record<CallEventName, string>>> = { 'call.missed': 'HANGUP' };
/** CHOICE-EVENT-IDS accepts null, or that they are left out. */
const USUAL: EventBody = { src_id: 0, dst_id: 0, t_cause: '', terminated_by: '' };

export class EventWatch {
  readonly #options: WatchOptions;
  readonly #wanted: ReadonlySet<EventName>;
  readonly #ids = new Map<string, string>();
  readonly #calls = new Map<string, WatchedCall>();
  #first = true;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#wanted = new Set(
      categoryRows.filter(({ id }) => options.categories.includes(id)).flatMap(({ events }) => events),
    );
  }

  take(arrival: Arrival): Heard {
    const body = objectIn(arrival.text ?? '');
    const event = typeof body?.event_name === 'string' ? body.event_name : '';
    const callId = Number.isInteger(body?.call_id) ? (body?.call_id as number) : undefined;
    const mayBeTest = this.#options.foreignTest && this.#first && !schemas.has(event);
    this.#first = false;
    const heard = { event, callId, body };
    if (event === 'webhook.test' || mayBeTest) return { ...heard, isTest: true, violations: [] };
    const violations = [...flawsOf(arrival, body, event), ...(body === undefined ? [] : this.#meaning(body, arrival))];
    return { ...heard, isTest: false, violations };
  }

  /** What is wrong beyond its shape. A repetition says nothing new, so it is judged no further. */
  #meaning(body: EventBody, { nowMs }: Arrival): Violation[] {
    const repeated = this.#repetition(body);
    if (repeated !== undefined) return [repeated];
    const atMs = typeof body.event_time === 'string' ? parseUtc(body.event_time) : undefined;
    return [...stateFlaws(body), ...this.#order(body, atMs), ...this.#times(atMs, nowMs)];
  }

  #repetition({ id, event_name, call_id }: EventBody): Violation | undefined {
    if (typeof id !== 'string' || id === '') return undefined;
    const what = call_id === undefined ? String(event_name) : `${String(event_name)} of call ${String(call_id)}`;
    const before = this.#ids.get(id);
    if (before === undefined) {
      remember(this.#ids, id, what);
      return undefined;
    }
    const message = before === what ? `event ${id} came before` : `id ${id} was that of ${before}`;
    return { rule: 'duplicate', message };
  }

  #order(body: EventBody, atMs: number | undefined): Violation[] {
    const { event_name: name, call_id: callId, context, start_time: start } = body;
    if (typeof name !== 'string' || !Number.isInteger(callId) || !(isCallEvent(name) || name === 'call.dtmf'))
      return [];
    const key = `${String(context)} ${String(callId)}`;
    const call = this.#calls.get(key) ?? this.#newCall(start);
    if (!this.#calls.has(key)) remember(this.#calls, key, call);
    const wrong = call.sequence.take(name, { unanswered: body.connected_at === null, inQueue: context === 'QUEUE' });
    const back = atMs !== undefined && atMs < call.lastMs;
    const message = back ? `its event_time is before that of ${call.last}` : undefined;
    if (atMs !== undefined && !back) Object.assign(call, { last: name, lastMs: atMs });
    return [wrong, message].flatMap((text) => (text === undefined ? [] : [{ rule: 'order' as const, message: text }]));
  }

  #newCall(start: unknown): WatchedCall {
    const startMs = typeof start === 'string' ? parseUtc(start) : undefined;
    const { sinceMs } = this.#options;
    const whole = startMs !== undefined && sinceMs !== undefined && startMs >= sinceMs;
    return { sequence: new CallSequence(this.#wanted, whole), last: '', lastMs: Number.NEGATIVE_INFINITY };
  }

  #times(atMs: number | undefined, nowMs: number | undefined): Violation[] {
    if (atMs === undefined || nowMs === undefined) return [];
    const lateMs = nowMs - atMs;
    if (lateMs > this.#options.lateMs + RESOLUTION_MS)
      return [{ rule: 'late', message: `it arrived ${Math.floor(lateMs / 1000)} s after its event_time` }];
    if (lateMs < -RESOLUTION_MS)
      return [{ rule: 'early', message: `its event_time is ${Math.ceil(-lateMs / 1000)} s ahead` }];
    return [];
  }
}

function flawsOf({ contentType, text, bytes }: Arrival, body: EventBody | undefined, event: string): Violation[] {
  const flaw = (message: string): Violation => ({ rule: 'schema', message });
  if (text === undefined) return [flaw(`a body of ${bytes} bytes, which is too long to be read`)];
  if (body === undefined) return [flaw('expected a JSON object')];
  const isJson = /^application\/json\s*(;|$)/i.test(contentType);
  const type = isJson ? [] : [flaw(`expected Content-Type application/json, found ${contentType || 'none'}`)];
  const schema = schemas.get(event);
  if (schema === undefined) return [...type, flaw(`/event_name: expected one of ${KNOWN.join(', ')}`)];
  // CHOICE-DTMF-EVENT: any payload.
  if (event === 'call.dtmf') return type;
  const found = misfits(schema, isCallEvent(event) ? leniently(body) : body);
  return [...type, ...found.map(({ path, message }) => flaw(`/${path.join('/')}: ${message}`))];
}

function leniently(body: EventBody): EventBody {
  const given = Object.entries(body).filter(([name, value]) => value !== null || !Object.hasOwn(USUAL, name));
  return { ...USUAL, ...Object.fromEntries(given) };
}

/** The state and the time of connection that the event's name implies. */
function stateFlaws({ event_name: name, state, connected_at: connectedAt }: EventBody): Violation[] {
  if (typeof name !== 'string' || !isCallEvent(name)) return [];
  const flaw = (message: string): Violation => ({ rule: 'state', message });
  const states = [...eventStates[name], ...(ALSO[name] === undefined ? [] : [ALSO[name]])];
  const wrongState =
    typeof state !== 'string' || states.includes(state)
      ? []
      : [flaw(`${name} with state ${state}, expected ${states.join(' or ')}`)];
  if (connectedAt === undefined || name === EITHER || UNANSWERED.includes(name) === (connectedAt === null))
    return wrongState;
  const expected = UNANSWERED.includes(name) ? 'null before an answer' : 'a time once it was answered';
  return [...wrongState, flaw(`${name} with connected_at ${String(connectedAt)}, expected ${expected}`)];
}

function remember<V>(memory: Map<string, V>, key: string, value: V): void {
  memory.set(key, value);
  if (memory.size <= REMEMBERED) return;
  const oldest = memory.keys().next().value;
  if (oldest !== undefined) memory.delete(oldest);
}
