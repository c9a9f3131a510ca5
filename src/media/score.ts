// What one hears when in a recording: turns of talk, music on hold, what the exchange played, keys. Read off a call's journal entries; makes no sound.
import { dataOf, type JournalEntry } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { KEYS, type Key } from './tones.ts';

/** `other-1` and so on: further ones in a conference. */
export type Voice = 'caller' | 'callee' | `other-${number}`;
/** A sound of the exchange, by the name that the journal has for it. */
export interface Played {
  readonly name: string;
  readonly ms: number;
}
export type Heard = Voice | 'pause' | 'music' | Key | Played;

/** ms from the beginning of the recording. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Note extends Span {
  readonly sound: Heard;
}

/** All that decides what a recording sounds like: the same facts, the same bytes. */
export interface ScoreFacts {
  /** Whose turns these are: no two records talk alike. */
  readonly seed: string;
  readonly seconds: number;
  /** Who speaks: both parties of a call, or the one who leaves a message. */
  readonly voices: readonly Voice[];
  /** In a conference: how many there were, from when on. */
  readonly sizes?: ReadonlyArray<{ readonly fromMs: number; readonly size: number }>;
  /** When the call was on hold. */
  readonly held: readonly Span[];
  /** What is heard then, where it is not the standard music. */
  readonly music?: Played;
  /** What the exchange let somebody hear: in order, one at a time. */
  readonly played?: readonly PlayedSpan[];
  readonly keys: readonly KeyPress[];
}

export interface PlayedSpan extends Span, Played {}

export interface KeyPress {
  readonly atMs: number;
  readonly key: Key;
}

/** A key sounds as long as the exchange says when it passes a digit on, and two in a row have a gap (ITU-T Q.24 asks for 40 ms). */
const KEY_MS = 160;
const KEY_GAP_MS = 60;
const TURN_MS = { shortest: 1200, longest: 4800 };
const PAUSE_MS = { shortest: 150, longest: 700 };

/** Without gaps from the beginning to the end. */
export function notesOf(facts: ScoreFacts): Note[] {
  const music = facts.held.map((span) => ({ ...span, sound: facts.music ?? ('music' as const) }));
  const played = (facts.played ?? []).map(({ fromMs, toMs, name, ms }) => ({ fromMs, toMs, sound: { name, ms } }));
  return laidOver(laidOver(laidOver(turnsOf(facts), music), played), keyNotes(facts.keys));
}

/** What happened in the answered call from `fromMs` on (since 1970; earlier than its answer means the answer). */
export function timelineOf(
  entries: readonly JournalEntry[],
  fromMs: number,
): Required<Pick<ScoreFacts, 'held' | 'played' | 'keys'>> & Pick<ScoreFacts, 'music' | 'sizes'> {
  const answeredAt = entries.find((entry) => movedTo(entry) === 'CONNECTED')?.at ?? fromMs;
  const zero = Math.max(answeredAt, fromMs);
  const pauses = pausesIn(entries);
  const recordedMs: Position = (at) => at - zero - pausedMs(pauses, zero, at);
  const held: Span[] = [];
  const keys: KeyPress[] = [];
  let heldSince: number | undefined;
  for (const entry of entries) {
    const key = pressed(entry);
    const isLeftOut = pauses.some((pause) => entry.at >= pause.fromMs && entry.at < pause.toMs);
    if (key !== undefined && entry.at >= zero && !isLeftOut) keys.push({ atMs: recordedMs(entry.at), key });
    const state = movedTo(entry);
    if (state === undefined) continue;
    if (state === 'ON_HOLD') heldSince ??= Math.max(0, recordedMs(entry.at));
    else if (heldSince !== undefined) {
      held.push({ fromMs: heldSince, toMs: Math.max(0, recordedMs(entry.at)) });
      heldSince = undefined;
    }
  }
  if (heldSince !== undefined) held.push({ fromMs: heldSince, toMs: Number.MAX_SAFE_INTEGER });
  const music = entries
    .filter(({ kind }) => kind === 'call.music')
    .flatMap(soundIn)
    .at(-1);
  const sizes = sizesIn(entries, recordedMs);
  const played = playedIn(entries, recordedMs);
  return { held, played, keys, ...(music && { music }), ...(sizes.length === 0 ? {} : { sizes }) };
}

/** Where a time (ms since 1970) is in the recording. */
type Position = (at: number) => number;

/** What the recording leaves out: ms since 1970. */
function pausesIn(entries: readonly JournalEntry[]): Span[] {
  const pauses: Array<{ fromMs: number; toMs: number }> = [];
  for (const { kind, at } of entries) {
    const open = pauses.at(-1);
    const isOpen = open?.toMs === Number.MAX_SAFE_INTEGER;
    if (kind === 'recording.paused' && !isOpen) pauses.push({ fromMs: at, toMs: Number.MAX_SAFE_INTEGER });
    if ((kind === 'recording.resumed' || kind === 'recording.ended') && isOpen) open.toMs = at;
  }
  return pauses;
}

function pausedMs(pauses: readonly Span[], fromMs: number, toMs: number): number {
  return pauses.reduce((ms, pause) => ms + Math.max(0, Math.min(pause.toMs, toMs) - Math.max(pause.fromMs, fromMs)), 0);
}

/** Each sound until it was over, was stopped, or something else was played; one at a time, whoever heard it. */
function playedIn(entries: readonly JournalEntry[], recordedMs: Position): PlayedSpan[] {
  const spans: Array<{ fromMs: number; toMs: number; name: string; ms: number }> = [];
  for (const entry of entries) {
    if (entry.kind !== 'sound.played' && entry.kind !== 'sound.stopped') continue;
    const atMs = Math.max(0, recordedMs(entry.at));
    const last = spans.at(-1);
    if (last !== undefined) last.toMs = Math.min(last.toMs, atMs);
    const isRepeated = dataOf(entry).loop === true;
    for (const { name, ms } of soundIn(entry)) {
      const endMs = isRepeated ? Number.MAX_SAFE_INTEGER : Math.max(0, recordedMs(entry.at + ms));
      spans.push({ fromMs: atMs, toMs: endMs, name, ms });
    }
  }
  return spans.filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** What came before the recording was begun counts from its beginning. */
function sizesIn(entries: readonly JournalEntry[], recordedMs: Position): Required<ScoreFacts>['sizes'] {
  return entries.flatMap((entry) => {
    const { size } = dataOf(entry);
    if (entry.kind !== 'conference.size' || typeof size !== 'number') return [];
    return { fromMs: Math.max(0, recordedMs(entry.at)), size };
  });
}

/** The sound that an entry names, if it names one. */
function soundIn(entry: JournalEntry): Played[] {
  const { name, ms } = dataOf(entry);
  return typeof name === 'string' && typeof ms === 'number' ? [{ name, ms }] : [];
}

function movedTo({ kind, data }: JournalEntry): unknown {
  return kind === 'call.state' && 'to' in data ? data.to : undefined;
}

function pressed(entry: JournalEntry): Key | undefined {
  if (entry.kind !== 'event') return undefined;
  const { name, payload } = dataOf(entry);
  if (name !== 'call.dtmf' || typeof payload !== 'object' || payload === null || !('digit' in payload))
    return undefined;
  return KEYS.find((key) => key === payload.digit);
}

/** The parties take turns; between them nobody speaks for a moment. */
function turnsOf({ seed, seconds, voices, sizes = [] }: ScoreFacts): Note[] {
  const random = new Random(seed).split('turns');
  const endMs = Math.round(seconds * 1000);
  const notes: Note[] = [];
  let fromMs = 0;
  for (let turn = 0; fromMs < endMs; turn += 1) {
    const those = sizes.length === 0 ? voices : voicesOf(sizes.findLast((size) => size.fromMs <= fromMs)?.size ?? 1);
    const speaks = turn % 2 === 0 ? those[(turn / 2) % those.length] : undefined;
    const { shortest, longest } = speaks === undefined ? PAUSE_MS : TURN_MS;
    const toMs = Math.min(endMs, fromMs + shortest + random.int(longest - shortest));
    notes.push({ fromMs, toMs, sound: speaks ?? 'pause' });
    fromMs = toMs;
  }
  return notes;
}

/** Whose recording it is, and the others. */
function voicesOf(size: number): Voice[] {
  const others = Array.from({ length: Math.max(0, size - 2) }, (_, at) => `other-${at + 1}` as const);
  return ['caller', ...(size > 1 ? ['callee' as const] : []), ...others];
}

function keyNotes(keys: readonly KeyPress[]): Note[] {
  let free = 0;
  return keys.map(({ atMs, key }) => {
    const fromMs = Math.max(atMs, free);
    free = fromMs + KEY_MS + KEY_GAP_MS;
    return { fromMs, toMs: fromMs + KEY_MS, sound: key };
  });
}

/** The upper notes, in order and apart from each other, cover what was there, as far as the recording goes. */
function laidOver(notes: readonly Note[], uppers: readonly Note[]): Note[] {
  const endMs = notes.at(-1)?.toMs ?? 0;
  const tops = uppers.filter(({ fromMs, toMs }) => fromMs < toMs);
  const laid: Note[] = [];
  let next = 0;
  for (const note of notes) {
    let free = note.fromMs;
    for (let top = tops[next]; top !== undefined && top.fromMs < note.toMs; top = tops[next]) {
      if (top.fromMs > free) laid.push({ ...note, fromMs: free, toMs: top.fromMs });
      if (top.fromMs >= note.fromMs) laid.push({ ...top, toMs: Math.min(top.toMs, endMs) });
      free = Math.max(free, top.toMs);
      if (top.toMs > note.toMs) break;
      next += 1;
    }
    if (free < note.toMs) laid.push({ ...note, fromMs: free });
  }
  return laid;
}
