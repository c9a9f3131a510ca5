// How long an MP3 file plays, by the heads of its frames (ISO 11172-3, 13818-3: layer III). Knows no sound.

const KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];
const ID3_HEAD_BYTES = 10;
const HEAD_BYTES = 4;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Undefined when the file does not begin with a frame, or fewer than two follow each other. */
export function mp3Seconds(file: Buffer): number | undefined {
  let at = tagBytes(file);
  let seconds = 0;
  let frames = 0;
  for (let frame = frameAt(file, at); frame !== undefined; frame = frameAt(file, at)) {
    at += frame.bytes;
    seconds += frame.seconds;
    frames += 1;
  }
  return frames >= 2 ? seconds : undefined;
}

/** An ID3v2 tag stands before the sound; its length is written in seven bits a byte. */
function tagBytes(file: Buffer): number {
  if (file.subarray(0, 3).toString('latin1') !== 'ID3' || file.length < ID3_HEAD_BYTES) return 0;
  return ID3_HEAD_BYTES + [...file.subarray(6, 10)].reduce((sum, byte) => sum * 128 + (byte & 127), 0);
}

function frameAt(file: Buffer, at: number): Frame | undefined {
  if (at + HEAD_BYTES > file.length) return undefined;
  const [sync = 0, kind = 0, rates = 0] = file.subarray(at, at + HEAD_BYTES);
  const version = (kind >> 3) & 3;
  const isLayer3 = ((kind >> 1) & 3) === 1;
  if (sync !== 255 || kind >> 5 !== 7 || version === 1 || !isLayer3) return undefined;
  const kbits = (version === 3 ? KBITS_1 : KBITS_2)[rates >> 4] ?? 0;
  const rate = RATES[(rates >> 2) & 3];
  if (kbits === 0 || rate === undefined) return undefined;
  // MPEG 1 has two granules a frame; MPEG 2 and 2.5 have one, at a half and a quarter of the rate.
  const hertz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const samples = version === 3 ? 1152 : 576;
  const bytes = Math.floor(((samples / 8) * kbits * 1000) / hertz) + ((rates >> 1) & 1);
  return { bytes, seconds: samples / hertz };
}
