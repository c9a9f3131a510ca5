// What the readers of sound files tell: that it is one, or why not. Knows no format.
import type { uploadTypes } from '../../contract/limits.ts';

export interface SoundFile {
  readonly type: (typeof uploadTypes)[number];
  /** Undefined where the file does not say it in one place. */
  readonly seconds: number | undefined;
}

/** A sound, or the reason why it is none: a clause without a subject, `ends in the middle of a frame`. */
export type Reading = SoundFile | string;

/** The four characters at an offset; other bytes than letters, digits and the like come out as they are. */
export function wordAt(bytes: Uint8Array, at: number, length = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
