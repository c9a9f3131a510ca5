// Recordings as one hears them: as long as announced, following the call, the same each time, and no burden to others.
import { beforeEach, describe, expect, it } from 'vitest';
import { mp3Bytes } from '../contract/recording-format.ts';
import type { Result } from '../kernel/errors.ts';
import type { JournalData, JournalEntry } from '../kernel/journal.ts';
import { HEARD_RATE, heard, interop, loudness, probe, strength } from './ffmpeg.rig.ts';
import { LONGEST_RECORDING_S, Recordings } from './recordings.ts';
import { Take, Takes } from './takes.ts';

const ANSWERED = Date.UTC(2026, 0, 5, 9, 30, 0, 400);
const monitor = { id: 10_000_001, live_id: 10_000_007, duration: 20, timestamp: '2026-01-05 09:30:00' };

let turns: number;
let recordings: Recordings;
beforeEach(() => {
  turns = 0;
  recordings = new Recordings({ defer: inTurn });
});

function inTurn(fn: () => void): void {
  turns += 1;
  setImmediate(fn);
}

async function bytesOf(file: Promise<Result<Uint8Array>>): Promise<Uint8Array> {
  const made = await file;
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

/** A call that was answered, with what happened at so many seconds after that. */
function trace(...happened: ReadonlyArray<readonly [atS: number, what: string]>): JournalEntry[] {
  const all: ReadonlyArray<readonly [number, string]> = [
    [-6, 'INITIAL'],
    [-5, 'RINGING'],
    [0, 'CONNECTED'],
    ...happened,
  ];
  return all.map(([atS, what], index) => {
    const isKey = what.length === 1;
    const data = isKey ? { name: 'call.dtmf', payload: { digit: what } } : { to: what };
    const kind = isKey ? 'event' : 'call.state';
    return { seq: index + 1, at: ANSWERED + atS * 1000, kind, callId: 10_000_007, customerId: 1, cause: null, data };
  });
}

/** What is heard from one second to another. The encoder's delay (1105 samples) and the decoder's (529) come first. */
function between(samples: Float32Array, fromS: number, toS: number): Float32Array {
  const delay = 1105;
  return samples.subarray(fromS * HEARD_RATE + delay, toS * HEARD_RATE + delay);
}

describe('a recording', () => {
  it.each([0, 1, 20, 61, 600])('of %d s is as long as its record says', async (duration) => {
    expect((await bytesOf(recordings.recording({ ...monitor, duration }))).length).toBe(mp3Bytes(duration));
  });

  it('is the same each time, also for a simulator that has just started', async () => {
    const first = await bytesOf(recordings.recording(monitor));
    const later = await bytesOf(new Recordings({ defer: inTurn, keptBytes: 0 }).recording(monitor));
    expect(Buffer.from(later).equals(first)).toBe(true);
  });

  it('is not that of another call', async () => {
    const first = await bytesOf(recordings.recording(monitor));
    const other = await bytesOf(recordings.recording({ ...monitor, id: 10_000_002, live_id: 10_000_012 }));
    expect(Buffer.from(other).equals(first)).toBe(false);
  });

  it('is made once for all who ask, and again when it is not kept', async () => {
    const both = await Promise.all([recordings.recording(monitor), recordings.recording(monitor)]);
    expect(both[0].ok && both[1].ok && both[0].value === both[1].value).toBe(true);
    expect(await bytesOf(recordings.recording(monitor))).toBe(both[0].ok && both[0].value);
    const forgetful = new Recordings({ defer: inTurn, keptBytes: 100_000 });
    const first = await bytesOf(forgetful.recording(monitor));
    await forgetful.recording({ ...monitor, id: 2 });
    expect(await bytesOf(forgetful.recording({ ...monitor }))).not.toBe(first);
  });

  it('has no sound when it is longer than is made, or of no length', async () => {
    for (const duration of [LONGEST_RECORDING_S + 1, -1, Number.NaN]) {
      expect(await recordings.recording({ ...monitor, duration })).toMatchObject({
        ok: false,
        failure: { kind: 'not_found', message: expect.stringContaining('10800 seconds') },
      });
    }
  });

  it('gives others their turn every eight seconds of sound', async () => {
    await recordings.recording({ ...monitor, duration: 120 });
    expect(turns).toBe(15);
  });
});

describe.runIf(interop)('in a recording one hears', () => {
  it('both parties taking turns, softly', async () => {
    const file = await bytesOf(recordings.recording(monitor));
    expect(probe(file)).toMatchObject({ codec: 'mp3', sampleRate: 8000, channels: 1, bitRate: 32_000 });
    const samples = heard(file);
    expect(loudness(samples)).toBeGreaterThan(0.05);
    expect(loudness(samples)).toBeLessThan(0.3);
    const seconds = Array.from({ length: 20 }, (_, at) => between(samples, at, at + 1));
    const caller = seconds.filter((second) => strength(second, 220) > 4 * strength(second, 330));
    const callee = seconds.filter((second) => strength(second, 330) > 4 * strength(second, 220));
    expect(caller.length).toBeGreaterThan(3);
    expect(callee.length).toBeGreaterThan(3);
  });

  it('music while the call was on hold', async () => {
    const held = trace([5, 'ON_HOLD'], [9, 'CONNECTED'], [20, 'HANGUP']);
    const samples = heard(await bytesOf(recordings.recording(monitor, held)));
    // The highest note of the chord sounds in the fourth beat: from 6.5 s to 7 s.
    expect(strength(between(samples, 6.5, 7), 523.25)).toBeGreaterThan(0.05);
    const plain = heard(await bytesOf(recordings.recording(monitor, trace([20, 'HANGUP']))));
    expect(strength(between(plain, 6.5, 7), 523.25)).toBeLessThan(0.01);
    expect(Array.from(between(samples, 1, 4.5))).toEqual(Array.from(between(plain, 1, 4.5)));
  });

  it('music to the end when the call ended on hold', async () => {
    const samples = heard(await bytesOf(recordings.recording(monitor, trace([5, 'ON_HOLD'], [20, 'HANGUP']))));
    expect(strength(between(samples, 18.5, 19), 523.25)).toBeGreaterThan(0.02);
  });

  it.each([
    ['5', 770, 1336],
    ['#', 941, 1477],
    ['D', 941, 1633],
  ])('the key %s as its two tones, when it was pressed', async (key, row, column) => {
    const samples = heard(await bytesOf(recordings.recording(monitor, trace([8, key], [20, 'HANGUP']))));
    const pressed = between(samples, 8.03, 8.13);
    expect(strength(pressed, row)).toBeGreaterThan(0.1);
    expect(strength(pressed, column)).toBeGreaterThan(0.1);
    expect(strength(between(samples, 8.2, 8.3), column)).toBeLessThan(0.02);
  });

  it('what the exchange played, until it was stopped or over', async () => {
    const at = (s: number, kind: string, data: JournalData): JournalEntry => ({
      ...{ seq: 100 + s, at: ANSWERED + s * 1000, kind, callId: 10_000_007, customerId: 1, cause: null, data },
    });
    const played = [
      ...trace(),
      at(2, 'sound.played', { name: 'tone/beep', ms: 400, to: 'caller' }),
      at(5, 'sound.played', { name: 'music', ms: 3000, to: 'caller', loop: true }),
      at(12, 'sound.stopped', { to: 'caller' }),
      ...trace([20, 'HANGUP']).slice(-1),
    ];
    const samples = heard(await bytesOf(recordings.recording(monitor, played)));
    expect(strength(between(samples, 2.05, 2.35), 1000)).toBeGreaterThan(0.15);
    expect(strength(between(samples, 2.5, 2.8), 1000)).toBeLessThan(0.01);
    // The highest note of the chord is its fourth, of half a second each: it sounds again after 3 s.
    for (const from of [6.5, 9.5]) expect(strength(between(samples, from, from + 0.5), 523.25)).toBeGreaterThan(0.02);
    expect(strength(between(samples, 12.5, 13), 523.25)).toBeLessThan(0.01);
  });

  it('keys of one moment one after the other', async () => {
    const samples = heard(await bytesOf(recordings.recording(monitor, trace([8, '1'], [8, '0'], [20, 'HANGUP']))));
    expect(strength(between(samples, 8.03, 8.13), 697)).toBeGreaterThan(0.1);
    expect(strength(between(samples, 8.25, 8.35), 941)).toBeGreaterThan(0.1);
  });

  it('what happened after it was begun, when that was in mid-call', async () => {
    const late = { ...monitor, timestamp: '2026-01-05 09:30:04', duration: 10 };
    const samples = heard(await bytesOf(recordings.recording(late, trace([2, '9'], [8, '5'], [14, 'HANGUP']))));
    // Begun 3.6 s after the answer, so the five comes at 4.4 s.
    expect(strength(between(samples, 4.43, 4.53), 770)).toBeGreaterThan(0.1);
  });
});

describe('what was heard', () => {
  /** So many seconds of a tone. */
  const taken = (hertz: number, seconds: number): Take => {
    const take = new Take();
    const wave = (_: unknown, at: number): number => 8000 * Math.sin((2 * Math.PI * hertz * at) / 8000);
    for (let second = 0; second < seconds; second += 1) take.add(Int16Array.from({ length: 8000 }, wave));
    return take;
  };

  it.runIf(interop)('is the recording, as long as the record says', async () => {
    const takes = new Takes();
    takes.keep('monitor/10000001', taken(440, 6));
    recordings = new Recordings({ defer: inTurn, takes });
    const long = await bytesOf(recordings.recording({ ...monitor, duration: 8 }));
    expect(long.length).toBe(mp3Bytes(8));
    expect(strength(between(heard(long), 1, 5), 440)).toBeGreaterThan(0.2);
    expect(loudness(between(heard(long), 6.5, 7.5))).toBeLessThan(0.01);
    const short = await bytesOf(recordings.recording({ ...monitor, duration: 2 }));
    expect(short.length).toBe(mp3Bytes(2));
    const other = await bytesOf(recordings.recording({ ...monitor, id: 2 }));
    expect(strength(heard(other), 440)).toBeLessThan(0.05);
  });

  it('is forgotten, the oldest first, when there is too much of it, and not kept when it is nothing', () => {
    const takes = new Takes({ keptBytes: 3 * 8000 });
    takes.keep('monitor/1', taken(440, 2));
    takes.keep('voicemessage/1', taken(440, 1));
    takes.keep('monitor/2', new Take());
    expect([takes.get('monitor/1')?.length, takes.get('voicemessage/1')?.length]).toEqual([16_000, 8000]);
    takes.keep('monitor/3', taken(440, 1));
    expect(takes.get('monitor/1')).toBeUndefined();
    expect([takes.get('monitor/2'), takes.get('monitor/3')?.length]).toEqual([undefined, 8000]);
    takes.keep('monitor/3', taken(440, 2));
    expect([takes.get('voicemessage/1')?.length, takes.get('monitor/3')?.length]).toEqual([8000, 16_000]);
  });

  it('ends after an hour', () => {
    const take = new Take();
    const minute = new Int16Array(60 * 8000);
    for (let minutes = 0; minutes < 61; minutes += 1) take.add(minute);
    expect([take.length, take.bytes]).toEqual([3600 * 8000, 3600 * 8000]);
  });
});

describe('a voice message', () => {
  it('is as long as its duration says, and the same each time', async () => {
    const message = { id: 10_000_003, live_id: 10_000_009, duration: 12 };
    const first = await bytesOf(recordings.voiceMessage(message));
    expect(first.length).toBe(mp3Bytes(12));
    const again = new Recordings({ defer: inTurn });
    expect(Buffer.from(await bytesOf(again.voiceMessage(message))).equals(first)).toBe(true);
  });

  it.runIf(interop)('has one voice', async () => {
    const file = await bytesOf(recordings.voiceMessage({ id: 10_000_003, live_id: 10_000_009, duration: 12 }));
    const samples = heard(file);
    expect(strength(samples, 220)).toBeGreaterThan(0.02);
    expect(strength(samples, 330)).toBeLessThan(0.005);
  });
});
