// A sound: a name, a length, and samples that are made when somebody listens. Knows no codec and no call.

/** Samples in a second, as telephones have them (G.711). */
export const SOUND_RATE = 8000;

export interface Sound {
  /** Tells it apart from every other one: the same name, the same sound. Stands in the journal. */
  readonly name: string;
  /** How long it is, whoever listens; known before a sample is made. */
  readonly durationMs: number;
  /** 16 bits, one channel, `SOUND_RATE` a second, as many as the length says. Made at the first call. */
  samples(): Int16Array;
  /** True while better samples are being made than those that there are: who can wait a moment asks again. */
  isUnderWay?(): boolean;
}

/** `make` is asked once and may give more or fewer samples than the length has room for. */
export function soundOf(name: string, durationMs: number, make: () => Int16Array): Sound {
  let made: Int16Array | undefined;
  return {
    name,
    durationMs,
    samples: () => {
      made ??= fitted(make(), samplesIn(durationMs));
      return made;
    },
  };
}

/** One after the other. */
export function inSequence(name: string, parts: readonly Sound[]): Sound {
  const durationMs = parts.reduce((sum, part) => sum + part.durationMs, 0);
  return {
    name,
    durationMs,
    isUnderWay: () => parts.some((part) => part.isUnderWay?.() === true),
    samples: () => {
      const whole = new Int16Array(samplesIn(durationMs));
      let atMs = 0;
      for (const part of parts) {
        const at = samplesIn(atMs);
        whole.set(part.samples().subarray(0, whole.length - at), at);
        atMs += part.durationMs;
      }
      return whole;
    },
  };
}

export function silence(durationMs: number): Sound {
  return soundOf('silence', durationMs, () => new Int16Array(0));
}

export function samplesIn(durationMs: number): number {
  return Math.round((durationMs * SOUND_RATE) / 1000);
}

/** Cut, or filled up with silence. */
function fitted(samples: Int16Array, length: number): Int16Array {
  if (samples.length === length) return samples;
  const whole = new Int16Array(length);
  whole.set(samples.subarray(0, length));
  return whole;
}
