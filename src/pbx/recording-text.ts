// What a recording says in words, for users who want a transcript: who spoke when, as one hears it. Invents no word of theirs.
import { notesOf, type Voice } from '../media/score.ts';

export interface SpokenFacts {
  /** Of the record and of its live call: the sound is made of the same. */
  readonly id: number;
  readonly liveId: number;
  readonly seconds: number;
  /** Name or number. */
  readonly caller: string;
  readonly callee: string;
}

export interface SpokenText {
  readonly transcript: string;
  readonly summary: string;
  readonly sentiment: string;
}

export const NO_TEXT: SpokenText = { transcript: '', summary: '', sentiment: '' };

/** Turns that a transcript tells of; a longer one breaks off. */
const MAX_TURNS = 500;
/** Recordings of a minute count as pleasant, those of less than ten seconds as not (CHOICE-RECORDING-TEXT). */
const PLEASANT_S = 60;
const UNPLEASANT_S = 10;

/** A line for each turn of the synthesised sound, what it comes to, and a word for the mood. The same facts, the same text. */
export function spokenText({ id, liveId, seconds, caller, callee }: SpokenFacts): SpokenText {
  const names: Readonly<Record<Voice, string>> = { caller, callee };
  const score = { seed: `monitor/${id}/${liveId}`, seconds, held: [], keys: [] };
  const notes = notesOf({ ...score, voices: ['caller', 'callee'] });
  const turns = notes.flatMap(({ sound, fromMs, toMs }) =>
    sound === 'caller' || sound === 'callee' ? [{ voice: sound, fromMs, toMs }] : [],
  );
  const spokeS = (voice: Voice): number =>
    Math.round(turns.reduce((ms, turn) => (turn.voice === voice ? ms + turn.toMs - turn.fromMs : ms), 0) / 1000);
  return {
    transcript: turns
      .slice(0, MAX_TURNS)
      .map(
        ({ voice, fromMs, toMs }) => `[${clockText(fromMs)}] ${names[voice]} speaks for ${secondsText(toMs - fromMs)}.`,
      )
      .join('\n'),
    summary: `${caller} spoke with ${callee} for ${seconds} s: ${caller} ${spokeS('caller')} s, ${callee} ${spokeS('callee')} s.`,
    sentiment: seconds >= PLEASANT_S ? 'positive' : seconds < UNPLEASANT_S ? 'negative' : 'neutral',
  };
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
