// The one form in which recordings and voice messages are delivered, and how long such a file is. Knows no encoder.

/** MP3 (MPEG 2.5, layer III) at a constant bit rate, one channel. */
export const recordingFormat = { sampleRate: 8000, kilobitsPerSecond: 32, samplesPerFrame: 576 } as const;

/** Bytes of each frame: at this rate they come out whole, so that no frame is padded. */
export const recordingFrameBytes =
  (recordingFormat.samplesPerFrame * recordingFormat.kilobitsPerSecond * 1000) / recordingFormat.sampleRate / 8;

/** The encoder's delay and its look-ahead fill two frames beyond those that the samples need. */
const EXTRA_FRAMES = 2;

/** The length in bytes of a recording of so many seconds: `size` is known before anything is encoded. */
export function mp3Bytes(seconds: number): number {
  const { sampleRate, samplesPerFrame } = recordingFormat;
  return (Math.ceil(Math.round(seconds * sampleRate) / samplesPerFrame) + EXTRA_FRAMES) * recordingFrameBytes;
}
