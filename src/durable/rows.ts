// A world's state as rows, and back. Knows no file and no SQL: what is written here is what the keeper writes, piece by piece.
import type { FaultsState } from '../faults/registry.ts';
import type { Load } from '../kernel/bulk.ts';
import { TAKES, type TakeFacts, type TakeOf } from '../media/takes.ts';
import type { KeptCall } from '../pbx/kept-call.ts';
import type { Script } from '../phones/carrier.ts';
import type { NewPhone } from '../phones/fleet.ts';
import { keptTrace, loadOfTrace, TRACES, type TraceFacts } from '../store/call-trace.ts';
import type { CollectionState, Key, StateRow, StateRows } from '../store/collection.ts';
import type { Mail } from '../store/outbox.ts';
import type { SeededCustomer } from '../store/seed/world.ts';
import type { SessionsState } from '../store/sessions.ts';
import { type StoreState, storeNames } from '../store/store.ts';
import { DELIVERIES, type KeptDelivery, keptQueue, LAST_DELIVERIES, queueOf } from '../webhooks/kept-deliveries.ts';
import type { WebhooksState } from '../webhooks/webhooks.ts';
import type { WorldState } from '../world-state.ts';
import { type BulkFacts, bulkRow, FileBulk, type Place } from './bulk-porter.ts';
import type { DataFile, Row } from './data-file.ts';
import { type RecordCodec, SHAPES } from './record-codec.ts';

/** Sections that are no collection's. */
export const WORLD = 'world';
export const IDS = 'ids';
export const LIVE_CALLS = 'live calls';
const WEBHOOKS = 'webhooks';
const FAULTS = 'faults';
const SCRIPTS = 'scripts';
const PHONES = 'phones';
const SEEDED = 'seeded';
const LIVE_IDS = 'live ids';
const FIRST_CALLS = 'first calls';

/** What is small enough to be looked through as a whole whenever it may have changed. */
export type SmallState = Pick<WorldState, 'faults' | 'scripts' | 'phones' | 'seeded' | 'liveIds'> & {
  /** The first call of each block of ids that had a trace. */
  readonly first: WorldState['traces']['first'];
};
export const SMALL_SECTIONS = [FAULTS, SCRIPTS, PHONES, SEEDED, LIVE_IDS, FIRST_CALLS] as const;

/** What a world is, besides its records. */
export interface WorldFacts {
  readonly seed: number | string;
  /** Which start of its file the world is of: chance is another for each. */
  readonly life: number;
  /** How many lives the file has seen. */
  readonly lives: number;
}

export function* rowsOf(
  state: WorldState,
  { seed, lives }: Omit<WorldFacts, 'life'>,
  codec: RecordCodec,
): IterableIterator<Row> {
  yield worldRow('seed', seed);
  yield worldRow('lives', lives);
  yield worldRow('life', state.life);
  yield worldRow('at', state.at);
  yield* smallRows({ ...state, first: state.traces.first });
  for (const name of storeNames) yield* collectionRows(name, state.store[name], codec);
  yield* sessionRows(state.sessions);
  for (const mail of state.outbox.mails) yield jsonRow('mails', 0, mail.id, mail);
  const { subscriptions, queues } = state.webhooks;
  yield* collectionRows(WEBHOOKS, subscriptions, codec);
  for (const [webhookId, queue] of queues) {
    for (const one of keptQueue(queue)) yield jsonRow(DELIVERIES, webhookId, one.id, one);
    yield jsonRow(LAST_DELIVERIES, webhookId, 0, queue.log.lastId);
  }
  for (const { place, load } of loadsOf(state))
    if (load.bulk instanceof FileBulk) yield bulkRow(place, load, load.bulk.number);
}

/** What has bytes: those that are in the file already, and those that are not. */
export function* loadsOf({
  traces,
  takes,
}: WorldState): IterableIterator<{ readonly place: Place; readonly load: Load }> {
  for (const trace of traces.ended) {
    const { callId, customerId } = trace;
    yield { place: { section: TRACES, owner: customerId ?? 0, key: callId }, load: loadOfTrace(trace) };
  }
  for (const { of, bulk, length, turn } of takes) {
    const facts: TakeFacts = { length, turn };
    yield { place: { section: TAKES, owner: 0, key: of }, load: { facts, bulk } };
  }
}

export function worldRow(key: keyof WorldFacts | 'at', value: number | string): Row {
  return jsonRow(WORLD, 0, key, value);
}

export function* smallRows({ faults, scripts, phones, seeded, liveIds, first }: SmallState): IterableIterator<Row> {
  // An infinity is none in JSON.
  const rules = faults.rules.map((rule) => ({ ...rule, expiresAt: finite(rule.expiresAt) }));
  yield jsonRow(FAULTS, 0, 0, { ...faults, rules });
  for (const [at, script] of scripts.entries()) yield jsonRow(SCRIPTS, 0, at, script);
  for (const [at, phone] of phones.entries()) yield jsonRow(PHONES, 0, at, phone);
  for (const customer of seeded.customers) yield jsonRow(SEEDED, 0, customer.customerId, customer);
  for (const [block, used] of liveIds) yield jsonRow(LIVE_IDS, block, 0, used);
  for (const [block, callId] of first) yield jsonRow(FIRST_CALLS, block, 0, callId);
}

/** What is in the file at that place. Its records are made as they are asked for. */
export function stateIn(file: DataFile, place: number, codec: RecordCodec): WorldState {
  codec.learn(file.rows(place, SHAPES));
  const read = <T>(section: string): T[] => [...file.rows(place, section)].map((row) => jsonOf<T>(file, row));
  const pairs = (section: string): Array<[number, number]> =>
    [...file.rows(place, section)].map((row) => [row.owner, jsonOf<number>(file, row)]);
  const facts = worldFacts(file, place);
  const mails = read<Mail>('mails');
  return {
    at: facts.at,
    life: facts.life,
    seeded: { customers: read<SeededCustomer>(SEEDED) },
    store: storeIn(file, place, codec),
    liveIds: pairs(LIVE_IDS),
    chance: new Map(),
    sessions: sessionsIn(file, place),
    outbox: { mails, count: mails.at(-1)?.id ?? 0 },
    webhooks: webhooksIn(file, place, codec),
    traces: { ended: tracesIn(file, place), first: pairs(FIRST_CALLS) },
    takes: takesIn(file, place),
    faults: faultsIn(read<FaultsState>(FAULTS)[0]),
    phones: read<NewPhone>(PHONES),
    scripts: read<Script>(SCRIPTS),
  };
}

/** The calls that were live when the file was written last. */
export function liveCallsIn(file: DataFile, place: number): KeptCall[] {
  return [...file.rows(place, LIVE_CALLS)].map((row) => jsonOf<KeptCall>(file, row));
}

/** The seed, the life and the time of what is at that place. */
export function worldFacts(file: DataFile, place: number): WorldFacts & { readonly at: number } {
  const facts = new Map([...file.rows(place, WORLD)].map((row) => [row.key, jsonOf<unknown>(file, row)]));
  const { seed, life, lives, at } = Object.fromEntries(facts) as Record<string, unknown>;
  const hasSeed = typeof seed === 'number' || typeof seed === 'string';
  if (!hasSeed || typeof life !== 'number' || typeof lives !== 'number' || typeof at !== 'number')
    throw file.damaged('the facts of its world are missing');
  return { seed, life, lives, at };
}

export function jsonRow(section: string, owner: number, key: Key, value: unknown): Row {
  return { section, owner, key, value: JSON.stringify(value) };
}

function* collectionRows(section: string, { rows, ids }: CollectionState, codec: RecordCodec): IterableIterator<Row> {
  for (const [owner, record] of rows) {
    const value = codec.write(section, record as Readonly<Record<string, unknown>>);
    yield* codec.newShapes();
    yield { section, owner, key: (record as { readonly id: Key }).id, value };
  }
  for (const [block, used] of ids) yield jsonRow(IDS, block, section, used);
}

function* sessionRows({ tokens, nonces, resets }: SessionsState): IterableIterator<Row> {
  for (const one of tokens) yield jsonRow('tokens', one.userId, one.userId, one);
  for (const [nonce, open] of nonces) yield jsonRow('nonces', 0, nonce, open);
  for (const [token, open] of resets) yield jsonRow('resets', 0, token, open);
}

function storeIn(file: DataFile, place: number, codec: RecordCodec): StoreState {
  const used = idsIn(file, place);
  const states = storeNames.map((name) => [name, collectionIn(file, place, name, codec, used)]);
  return Object.fromEntries(states) as StoreState;
}

function collectionIn(
  file: DataFile,
  place: number,
  section: string,
  codec: RecordCodec,
  used: ReadonlyMap<string, Array<[number, number]>>,
): CollectionState {
  return { rows: new FileRows(file, place, section, codec), ids: used.get(section) ?? [] };
}

function idsIn(file: DataFile, place: number): Map<string, Array<[number, number]>> {
  const used = new Map<string, Array<[number, number]>>();
  for (const row of file.rows(place, IDS)) {
    const name = String(row.key);
    used.set(name, [...(used.get(name) ?? []), [row.owner, jsonOf<number>(file, row)]]);
  }
  return used;
}

function sessionsIn(file: DataFile, place: number): SessionsState {
  const byEnd = <T extends { readonly endsAt: number }>(section: string): Array<[string, T]> =>
    [...file.rows(place, section)]
      .map((row): [string, T] => [String(row.key), jsonOf<T>(file, row)])
      .sort(([, one], [, other]) => one.endsAt - other.endsAt);
  return {
    tokens: [...file.rows(place, 'tokens')].map((row) => jsonOf<SessionsState['tokens'][number]>(file, row)),
    nonces: byEnd('nonces'),
    resets: byEnd('resets'),
  };
}

function webhooksIn(file: DataFile, place: number, codec: RecordCodec): WebhooksState {
  const subscriptions = collectionIn(file, place, WEBHOOKS, codec, idsIn(file, place));
  const kept = new Map<number, KeptDelivery[]>();
  for (const row of file.rows(place, DELIVERIES)) {
    // Numbers of journal entries mean nothing in another process.
    const delivery = { ...jsonOf<KeptDelivery>(file, row), cause: 0 };
    const known = kept.get(row.owner);
    if (known === undefined) kept.set(row.owner, [delivery]);
    else known.push(delivery);
  }
  const last = new Map([...file.rows(place, LAST_DELIVERIES)].map((row) => [row.owner, jsonOf<number>(file, row)]));
  const webhookIds = new Set([...kept.keys(), ...last.keys()]);
  return {
    subscriptions,
    queues: [...webhookIds].map((id) => [id, queueOf(kept.get(id) ?? [], last.get(id) ?? 0)]),
  };
}

/** None of their bytes is read. */
function* bulksIn<F>(
  file: DataFile,
  place: number,
  section: string,
): IterableIterator<{ row: Row; facts: F; bulk: FileBulk }> {
  for (const row of file.rows(place, section)) {
    const { parts, facts } = jsonOf<BulkFacts>(file, row);
    if (row.bulk !== undefined) yield { row, facts: facts as F, bulk: new FileBulk(file, row.bulk, parts) };
  }
}

function tracesIn(file: DataFile, place: number): WorldState['traces']['ended'] {
  const found = [...bulksIn<TraceFacts>(file, place, TRACES)];
  return found
    .map(({ row, facts, bulk }) => keptTrace(Number(row.key), row.owner, facts, bulk))
    .sort((one, other) => one.turn - other.turn);
}

function takesIn(file: DataFile, place: number): WorldState['takes'] {
  const found = [...bulksIn<TakeFacts>(file, place, TAKES)];
  return found
    .map(({ row, facts, bulk }) => ({ of: row.key as TakeOf, ...facts, bulk }))
    .sort((one, other) => one.turn - other.turn);
}

function faultsIn(kept: FaultsState | undefined): FaultsState {
  const { lastId, rules } = kept ?? { lastId: 0, rules: [] };
  return { lastId, rules: rules.map((rule) => ({ ...rule, expiresAt: rule.expiresAt ?? Number.POSITIVE_INFINITY })) };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function jsonOf<T>(file: DataFile, { section, key, value }: Row): T {
  try {
    return JSON.parse(value) as T;
  } catch {
    throw file.damaged(`${section} ${key} cannot be read`);
  }
}

/** Records of a collection, read when they are walked over. */
class FileRows implements StateRows {
  readonly #file: DataFile;
  readonly #place: number;
  readonly #section: string;
  readonly #codec: RecordCodec;

  constructor(file: DataFile, place: number, section: string, codec: RecordCodec) {
    this.#file = file;
    this.#place = place;
    this.#section = section;
    this.#codec = codec;
  }

  get length(): number {
    return this.#file.count(this.#place, this.#section);
  }

  filter(keep: (row: StateRow) => boolean): StateRows {
    return [...this].filter(keep);
  }

  map(change: (row: StateRow) => StateRow): StateRows {
    return [...this].map(change);
  }

  *[Symbol.iterator](): IterableIterator<StateRow> {
    for (const { owner, key, value } of this.#file.rows(this.#place, this.#section)) {
      const record = readRecord(this.#codec, value);
      if (record?.id !== key) throw this.#file.damaged(`record ${key} of ${this.#section} cannot be read`);
      yield [owner, record];
    }
  }
}

function readRecord(codec: RecordCodec, text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return codec.read(text);
  } catch {
    return undefined;
  }
}
