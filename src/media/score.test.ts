// The score of a recording: whatever happened in the call, something is written for every moment, and once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalData, JournalEntry } from '../kernel/journal.ts';
import { notesOf, timelineOf } from './score.ts';
import { silence } from './sound.ts';
import { samplesOf } from './synthesis.ts';
import { KEYS } from './tones.ts';

const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 })), { maxLength: 6 });
const keys = fc.array(fc.record({ atMs: fc.integer({ min: 0, max: 70_000 }), key: fc.constantFrom(...KEYS) }), {
  maxLength: 20,
});

describe('a score', () => {
  it('goes from the beginning to the end without a gap, with all holds and keys in their places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), gaps, keys, (seconds, waits, pressed) => {
        let at = 0;
        const held = waits.map(([before, during]) => {
          const fromMs = at + before;
          at = fromMs + during;
          return { fromMs, toMs: at };
        });
        const inOrder = pressed.toSorted((a, b) => a.atMs - b.atMs);
        const notes = notesOf({ seed: 'any', seconds, voices: ['caller', 'callee'], held, keys: inOrder });
        expect(notes[0]?.fromMs ?? 0).toBe(0);
        expect(notes.at(-1)?.toMs ?? 0).toBe(seconds * 1000);
        expect(notes.slice(1).map((note) => note.fromMs)).toEqual(notes.slice(0, -1).map((note) => note.toMs));
        for (const { fromMs, toMs, sound } of notes) {
          expect(fromMs).toBeLessThan(toMs);
          const isHeld = held.some((span) => span.fromMs <= fromMs && toMs <= span.toMs);
          const isKey = KEYS.some((key) => key === sound);
          if (!isKey) expect(sound === 'music').toBe(isHeld);
        }
        // Those that come one after the other move on, so the last ones may fall out at the end.
        const sounding = notes.filter(({ sound }) => KEYS.some((key) => key === sound)).map(({ sound }) => sound);
        expect(inOrder.map(({ key }) => key).slice(0, sounding.length)).toEqual(sounding);
        const early = inOrder.filter(({ atMs }) => atMs < seconds * 1000 - 20 * 220);
        expect(sounding.length).toBeGreaterThanOrEqual(early.length);
      }),
    );
  });

  it('leaves out what was said and pressed in a pause, and goes on behind it', () => {
    const at = (atS: number, kind: string, data: JournalData = {}): JournalEntry => ({
      ...{ seq: atS, cause: null, callId: 1, customerId: 1 },
      ...{ at: atS * 1000, kind, data },
    });
    const key = (atS: number, digit: string) => at(atS, 'event', { name: 'call.dtmf', payload: { digit } });
    const entries = [
      at(10, 'call.state', { to: 'CONNECTED' }),
      key(12, '1'),
      at(13, 'recording.paused'),
      key(14, '2'),
      at(20, 'recording.resumed'),
      key(21, '3'),
      at(22, 'call.state', { to: 'ON_HOLD' }),
      at(23, 'recording.paused'),
      at(25, 'call.state', { to: 'CONNECTED' }),
      at(26, 'recording.resumed'),
      at(27, 'sound.played', { name: 'prompt/goodbye', ms: 1000, to: 'caller' }),
    ];
    expect(timelineOf(entries, 10_000)).toEqual({
      keys: [
        { atMs: 2000, key: '1' },
        { atMs: 4000, key: '3' },
      ],
      held: [{ fromMs: 5000, toMs: 6000 }],
      played: [{ fromMs: 7000, toMs: 8000, name: 'prompt/goodbye', ms: 1000 }],
    });
  });

  it('of a conference has as many voices as there were participants', () => {
    const at = (atS: number, kind: string, data: JournalData): JournalEntry => ({
      ...{ seq: atS, cause: null, callId: 1, customerId: 1 },
      ...{ at: atS * 1000, kind, data },
    });
    const size = (atS: number, many: number) => at(atS, 'conference.size', { size: many });
    const entries = [at(10, 'call.state', { to: 'CONNECTED' }), size(10, 1), size(40, 4), size(100, 2)];
    const timeline = timelineOf(entries, 10_000);
    const notes = notesOf({ seed: 'any', seconds: 150, voices: ['caller', 'callee'], ...timeline });
    const voicesIn = (fromS: number, toS: number): unknown[] => {
      const those = notes.filter(({ fromMs }) => fromMs >= fromS * 1000 && fromMs < toS * 1000);
      return [...new Set(those.map(({ sound }) => sound))].toSorted();
    };
    expect(voicesIn(0, 30)).toEqual(['caller', 'pause']);
    expect(voicesIn(30, 90)).toEqual(['callee', 'caller', 'other-1', 'other-2', 'pause']);
    expect(voicesIn(90, 150)).toEqual(['callee', 'caller', 'pause']);
    const sounds = notes.map(({ sound }) => sound);
    expect([...samplesOf(notes, () => silence(0))].length).toBe(150);
    expect(sounds.filter((sound) => sound === 'other-2').length).toBeGreaterThan(1);
  });

  it('of three hours with five thousand keys is written at once', () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({ atMs: at * 2000, key: '5' as const }));
    const notes = notesOf({ seed: 'any', seconds: 10_800, voices: ['caller', 'callee'], held: [], keys: many });
    expect(notes.filter(({ sound }) => sound === '5')).toHaveLength(5000);
  });
});
