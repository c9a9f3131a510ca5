// Keeps a world in its file: gathers what has changed in a turn of the event loop, writes it in one transaction, and lets answers go after it. Knows no SQL.

import type { Stow } from '../kernel/bulk.ts';
import type { ClockMode, TimeHost } from '../kernel/clock.ts';
import { ID_BLOCK } from '../kernel/ids.ts';
import type { Journal, JournalEntry } from '../kernel/journal.ts';
import type { KeptCall } from '../pbx/kept-call.ts';
import type { ChangeListener, Key } from '../store/collection.ts';
import type { Mark, Outgoing } from '../store/keeping.ts';
import { DELIVERIES, LAST_DELIVERIES } from '../webhooks/kept-deliveries.ts';
import type { WorldState } from '../world-state.ts';
import { BulkPorter, FileBulk, NEXT_SHARE_MS } from './bulk-porter.ts';
import { type DataFile, type OwnerGone, PRESENT, type Row, type RowChange } from './data-file.ts';
import { RecordCodec } from './record-codec.ts';
import {
  IDS,
  jsonRow,
  LIVE_CALLS,
  loadsOf,
  rowsOf,
  SMALL_SECTIONS,
  type SmallState,
  smallRows,
  stateIn,
  WORLD,
  worldFacts,
  worldRow,
} from './rows.ts';

/** What is kept later is kept within this time, ms. While calls live, the time is kept as often. */
export const LATER_MS = 1000;

export interface KeeperDeps {
  readonly file: DataFile;
  readonly seed: number | string;
  readonly clock: { readonly mode: ClockMode; now(): number };
  readonly host: Pick<TimeHost, 'defer' | 'alarm'>;
  readonly journal: Journal;
  /** The file takes no more: nothing of what waits is ever acknowledged. */
  readonly onTrouble: (error: Error) => void;
}

/** What the keeper asks of the world that is there now. */
export interface KeptWorld {
  small(): Omit<SmallState, 'first'>;
  /** Undefined when there is no such live call. */
  liveCall(callId: number): KeptCall | undefined;
}

interface Pending {
  readonly section: string;
  readonly owner: number;
  readonly key: Key;
  readonly read: () => unknown;
  readonly isRecord: boolean;
}

export class Keeper implements Outgoing {
  readonly #deps: KeeperDeps;
  readonly #stopListening: () => void;
  readonly #pending = new Map<string, Pending>();
  readonly #porter: BulkPorter;
  #gone: OwnerGone[] = [];
  #waiting: Array<() => void> = [];
  #codec = new RecordCodec();
  #lives = 1;
  /** How far the ids of each collection's blocks are. */
  #used = new Map<string, number>();
  /** The small rows as they are in the file. */
  #small = new Map<string, Row>();
  #first = new Map<number, number>();
  #isSmallTouched = false;
  readonly #live = new Set<number>();
  #savedAt = 0;
  #isUrgent = false;
  #isDeferred = false;
  #disarm: (() => void) | undefined;
  #disarmShare: (() => void) | undefined;
  /** Undefined while nothing is to be written: before there is a world, while one goes, after trouble. */
  #world: KeptWorld | undefined;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#porter = new BulkPorter(deps.file);
    this.#stopListening = deps.journal.subscribe((entry) => this.#noticed(entry));
  }

  /** Given to every collection. */
  readonly record: ChangeListener = ({ collection, kind, id, customerId, record }) => {
    if (this.#world === undefined) return;
    const read = kind === 'put' ? () => record : () => undefined;
    this.#put({ section: collection, owner: customerId, key: id, read, isRecord: true });
    if (kind === 'put') this.#claim(collection, id);
    else if (collection === 'webhooks' && typeof id === 'number')
      for (const section of [DELIVERIES, LAST_DELIVERIES]) this.#ownerIsGone(section, id);
    // Phones come and go with their users.
    if (collection === 'users' || collection === 'customers') this.#isSmallTouched = true;
    this.#hurry();
  };

  /** Given to all others who remember. */
  readonly mark: Mark = (section, owner, key, read, when) => {
    if (this.#world === undefined) return;
    this.#put({ section, owner, key, read, isRecord: false });
    if (when === 'later') this.#arm();
    else this.#hurry();
  };

  /** Given to those who have bytes to be kept. */
  readonly stow: Stow = (section, owner, key, load, when) => {
    if (this.#world === undefined) return;
    const place = { section, owner, key };
    this.#porter.forget(placeOf(place));
    if (load === undefined) return this.mark(section, owner, key, () => undefined, when);
    this.#pending.delete(placeOf(place));
    this.#porter.add(placeOf(place), place, load);
    if (when === 'later') this.#arm();
    else this.#hurry();
  };

  /** Something small may be another now: faults, scripts, phones, accounts. */
  touch(): void {
    this.#isSmallTouched = true;
    this.#hurry();
  }

  get isClear(): boolean {
    return !this.#isUrgent && !this.#isClockAhead();
  }

  leave(send: () => void): void {
    if (this.isClear) {
      send();
      return;
    }
    this.#waiting.push(send);
    this.#hurry();
  }

  /** What the file holds, as a world can begin with it, in a life of its own. */
  stateAt(place: number): { readonly state: WorldState; readonly codec: RecordCodec } {
    const codec = new RecordCodec();
    const { file } = this.#deps;
    const state = stateIn(file, place, codec);
    this.#lives = Math.max(this.#lives, worldFacts(file, place).lives) + 1;
    return { state: { ...state, life: this.#lives }, codec };
  }

  /** From now on that world is kept, of whose state the file has all but the life. No call of then lives any more. */
  goOn(world: KeptWorld, state: WorldState, codec: RecordCodec): void {
    this.#begin(world, state, codec);
    for (const { owner, key } of this.#deps.file.rows(PRESENT, LIVE_CALLS))
      this.mark(LIVE_CALLS, owner, key, () => undefined);
    this.mark(WORLD, 0, 'life', () => state.life);
    this.mark(WORLD, 0, 'lives', () => this.#lives);
  }

  #begin(world: KeptWorld, state: WorldState, codec: RecordCodec): void {
    this.#world = world;
    this.#codec = codec;
    this.#used = new Map();
    const collections = [...Object.entries(state.store), ['webhooks', state.webhooks.subscriptions] as const];
    for (const [name, { ids }] of collections)
      for (const [block, used] of ids) this.#used.set(`${name} ${block}`, used);
    this.#first = new Map(state.traces.first);
    this.#small = new Map();
    for (const section of SMALL_SECTIONS)
      for (const row of this.#deps.file.rows(PRESENT, section)) this.#small.set(placeOf(row), row);
    this.#savedAt = state.at;
    this.#live.clear();
  }

  /** From now on that world is kept, and the file is to hold nothing else. Answers that wait leave after it. */
  beginAnew(world: KeptWorld, state: WorldState): void {
    const codec = new RecordCodec();
    const { file, seed } = this.#deps;
    if (!this.#tried(() => file.replace(rowsOf(state, { seed, lives: this.#lives }, codec)))) return;
    this.#begin(world, state, codec);
    for (const { place, load } of loadsOf(state))
      if (!(load.bulk instanceof FileBulk)) this.stow(place.section, place.owner, place.key, load);
  }

  /** What changes from now on is the end of a world, and not kept. */
  pause(): void {
    this.#world = undefined;
    this.#pending.clear();
    this.#porter.clear();
    this.#gone = [];
    this.#isSmallTouched = false;
    this.#isUrgent = false;
  }

  /** Writes what has changed, and lets go what waited for it. */
  flush(): void {
    this.#isDeferred = false;
    if (this.#world !== undefined && !this.#written(this.#world)) return;
    for (const send of this.#waiting.splice(0)) send();
  }

  /** Keeps what there is now at that place, too. */
  copyTo(place: number): void {
    this.mark(WORLD, 0, 'at', () => this.#deps.clock.now());
    this.touch();
    this.#flushAll();
    if (this.#world !== undefined) this.#tried(() => this.#deps.file.copyTo(place));
  }

  drop(place: number): void {
    if (this.#world !== undefined) this.#tried(() => this.#deps.file.drop(place));
  }

  /** Writes what is left and lets the file go. */
  close(): void {
    this.#flushAll();
    this.#world = undefined;
    this.#stopListening();
    this.#disarm?.();
    this.#disarmShare?.();
    this.#deps.file.close();
  }

  #flushAll(): void {
    do this.flush();
    while (this.#world !== undefined && !this.#porter.isIdle);
  }

  #written(world: KeptWorld): boolean {
    const { file, clock } = this.#deps;
    const at = clock.now();
    const changes: RowChange[] = [];
    if (this.#isSmallTouched) changes.push(...this.#smallChanges(world));
    for (const pending of this.#pending.values()) {
      const value = this.#valueOf(pending);
      changes.push(...this.#codec.newShapes(), { ...rowPlace(pending), value });
    }
    const share = this.#porter.share();
    changes.push(...share.rows);
    const gone = this.#gone;
    if (clock.mode !== 'real' || at - this.#savedAt >= LATER_MS) {
      if (at !== this.#savedAt) changes.push(worldRow('at', at));
      this.#savedAt = at;
    }
    this.#pending.clear();
    this.#gone = [];
    this.#isSmallTouched = false;
    this.#isUrgent = false;
    if (changes.length === 0 && gone.length === 0 && share.parts.length === 0) return true;
    if (!this.#tried(() => file.write(changes, gone, share.parts))) return false;
    share.done();
    if (!this.#porter.isIdle) this.#armShare();
    return true;
  }

  #tried(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      this.pause();
      this.#waiting = [];
      this.#deps.onTrouble(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  #valueOf({ section, read, isRecord }: Pending): string | null {
    const value = read();
    if (value === undefined) return null;
    return isRecord ? this.#codec.write(section, value as Readonly<Record<string, unknown>>) : JSON.stringify(value);
  }

  #smallChanges(world: KeptWorld): RowChange[] {
    const rows = smallRows({ ...world.small(), first: [...this.#first] });
    const now = new Map([...rows].map((row) => [placeOf(row), row]));
    const changed: RowChange[] = [...now].flatMap(([place, row]) =>
      this.#small.get(place)?.value === row.value ? [] : [row],
    );
    for (const [place, row] of this.#small) if (!now.has(place)) changed.push({ ...row, value: null });
    this.#small = now;
    return changed;
  }

  #put(pending: Pending): void {
    this.#pending.set(placeOf(pending), pending);
  }

  #ownerIsGone(section: string, owner: number): void {
    this.#gone.push({ section, owner });
    for (const [place, pending] of this.#pending)
      if (pending.section === section && pending.owner === owner) this.#pending.delete(place);
  }

  #claim(collection: string, id: Key): void {
    // Numbers have ids that are written as texts.
    const count = Number(id);
    if (!Number.isSafeInteger(count)) return;
    const block = Math.floor(count / ID_BLOCK);
    const place = `${collection} ${block}`;
    const used = count % ID_BLOCK;
    if (used <= (this.#used.get(place) ?? 0)) return;
    this.#used.set(place, used);
    const { section, owner, key } = jsonRow(IDS, block, collection, used);
    this.#put({ section, owner, key, read: () => this.#used.get(place), isRecord: false });
  }

  /** On the path of every call: as little as can be. */
  #noticed({ kind, callId, customerId }: JournalEntry): void {
    if (this.#world === undefined) return;
    if (callId !== null && kind.startsWith('call.')) this.#callMoved(kind, callId, customerId ?? 0);
    else if (kind === 'control.request' || kind === 'fault') this.touch();
  }

  #callMoved(kind: string, callId: number, customerId: number): void {
    if (kind === 'call.opened') {
      this.#live.add(callId);
      const block = Math.floor(callId / ID_BLOCK);
      if (!this.#first.has(block)) this.#first.set(block, callId);
      this.touch();
    } else if (kind === 'call.closed') this.#live.delete(callId);
    this.mark(LIVE_CALLS, customerId, callId, () => this.#world?.liveCall(callId));
    this.#arm();
  }

  /** A manual clock that was moved is a change like any other. */
  #isClockAhead(): boolean {
    const { clock } = this.#deps;
    return this.#world !== undefined && clock.mode === 'manual' && clock.now() !== this.#savedAt;
  }

  #hurry(): void {
    if (this.#world !== undefined) this.#isUrgent = true;
    if (this.#isDeferred) return;
    this.#isDeferred = true;
    this.#deps.host.defer(() => this.flush());
  }

  #arm(): void {
    this.#disarm ??= this.#deps.host.alarm(LATER_MS, () => {
      this.#disarm = undefined;
      this.flush();
      if (this.#live.size > 0 && this.#world !== undefined) this.#arm();
    });
  }

  #armShare(): void {
    this.#disarmShare ??= this.#deps.host.alarm(NEXT_SHARE_MS, () => {
      this.#disarmShare = undefined;
      this.flush();
    });
  }
}

function rowPlace({ section, owner, key }: Pending): Omit<RowChange, 'value'> {
  return { section, owner, key };
}

function placeOf({ section, owner, key }: Omit<Row, 'value'>): string {
  return `${section} ${owner} ${key}`;
}
