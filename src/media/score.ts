// What one hears when in a recording: turns of talk, music on hold, keys. Read off a call's journal entries; makes no sound.
import { dataOf, type JournalEntry } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';

export const KEYS = ['1', '2', '3', 'A', '4', '5', '6', 'B', '7', '8', '9', 'C', '*', '0', '#', 'D'] as const;
export type Key = (typeof KEYS)[number];

export type Voice = 'caller' | 'callee';
export type Sound = Voice | 'pause' | 'music' | Key;

/** ms from the beginning of the recording. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Note extends Span {
  readonly sound: Sound;
}

/** All that decides what a recording sounds like: the same facts, the same bytes. */
export interface ScoreFacts {
  /** Whose turns these are: no two records talk alike. */
  readonly seed: string;
  readonly seconds: number;
  /** Who speaks: both parties of a call, or the one who leaves a message. */
  readonly voices: readonly Voice[];
  /** When the call was on hold. */
  readonly held: readonly Span[];
  readonly keys: readonly KeyPress[];
}

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
  const music = facts.held.map((span) => ({ ...span, sound: 'music' as const }));
  return laidOver(laidOver(turnsOf(facts), music), keyNotes(facts.keys));
}

/** What happened in the answered call from `fromMs` on (since 1970; earlier than its answer means the answer). */
export function timelineOf(entries: readonly JournalEntry[], fromMs: number): Pick<ScoreFacts, 'held' | 'keys'> {
  const answeredAt = entries.find((entry) => movedTo(entry) === 'CONNECTED')?.at ?? fromMs;
  const zero = Math.max(answeredAt, fromMs);
  const held: Span[] = [];
  const keys: KeyPress[] = [];
  let heldSince: number | undefined;
  for (const entry of entries) {
    const key = pressed(entry);
    if (key !== undefined && entry.at >= zero) keys.push({ atMs: entry.at - zero, key });
    const state = movedTo(entry);
    if (state === undefined) continue;
    if (state === 'ON_HOLD') heldSince ??= Math.max(0, entry.at - zero);
    else if (heldSince !== undefined) {
      held.push({ fromMs: heldSince, toMs: Math.max(0, entry.at - zero) });
      heldSince = undefined;
    }
  }
  if (heldSince !== undefined) held.push({ fromMs: heldSince, toMs: Number.MAX_SAFE_INTEGER });
  return { held, keys };
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
function turnsOf({ seed, seconds, voices }: ScoreFacts): Note[] {
  const random = new Random(seed).split('turns');
  const endMs = Math.round(seconds * 1000);
  const notes: Note[] = [];
  let fromMs = 0;
  for (let turn = 0; fromMs < endMs; turn += 1) {
    const speaks = turn % 2 === 0 ? voices[(turn / 2) % voices.length] : undefined;
    const { shortest, longest } = speaks === undefined ? PAUSE_MS : TURN_MS;
    const toMs = Math.min(endMs, fromMs + shortest + random.int(longest - shortest));
    notes.push({ fromMs, toMs, sound: speaks ?? 'pause' });
    fromMs = toMs;
  }
  return notes;
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
