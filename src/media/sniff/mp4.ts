// MP4 (ISO 14496-12): boxes in boxes, among them a track of sound. Reads no sample.
import { type Reading, viewOf, wordAt } from './sound.ts';

interface Box {
  readonly type: string;
  /** Of its content. */
  readonly from: number;
  readonly to: number;
}

/** Boxes of one level; more mean that somebody plays with sizes. */
const MOST_BOXES = 10_000;

export function isMp4(bytes: Uint8Array): boolean {
  return wordAt(bytes, 4) === 'ftyp';
}

export function readMp4(bytes: Uint8Array): Reading {
  const boxes = boxesIn(bytes, 0, bytes.length);
  if (boxes === undefined) return 'has parts that are larger than the file';
  const [brands] = boxes;
  if (brands === undefined || brands.to - brands.from < 8) return 'does not tell its brand';
  const movie = boxes.find(({ type }) => type === 'moov');
  if (movie === undefined) return 'has no table of contents (moov)';
  if (!boxes.some(({ type, from, to }) => type === 'mdat' && to > from)) return 'has no content (mdat)';
  const within = boxesIn(bytes, movie.from, movie.to);
  if (within === undefined) return 'has a broken table of contents (moov)';
  const tracks = within.filter(({ type }) => type === 'trak').map((track) => soundIn(bytes, track));
  const sound = tracks.find((seconds) => seconds !== undefined);
  return sound === undefined ? 'has no track of sound' : { type: 'MP4', seconds: sound > 0 ? sound : undefined };
}

/** The seconds of a track of sound, 0 where they are not told; undefined for any other track. */
function soundIn(bytes: Uint8Array, track: Box): number | undefined {
  const media = childOf(bytes, track, 'mdia');
  const handler = media && childOf(bytes, media, 'hdlr');
  if (media === undefined || handler === undefined || handler.to - handler.from < 12) return undefined;
  if (wordAt(bytes, handler.from + 8) !== 'soun') return undefined;
  const head = childOf(bytes, media, 'mdhd');
  return head === undefined ? undefined : secondsOf(bytes, head);
}

// ISO 14496-12, 8.4.2: version 1 has times of 64 bits.
function secondsOf(bytes: Uint8Array, { from, to }: Box): number | undefined {
  const view = viewOf(bytes);
  const isLong = bytes[from] === 1;
  if (to - from < (isLong ? 32 : 20)) return undefined;
  const timescale = view.getUint32(from + (isLong ? 20 : 12));
  const duration = isLong ? Number(view.getBigUint64(from + 24)) : view.getUint32(from + 16);
  return timescale === 0 ? undefined : duration / timescale;
}

function childOf(bytes: Uint8Array, { from, to }: Box, type: string): Box | undefined {
  return boxesIn(bytes, from, to)?.find((box) => box.type === type);
}

/** Undefined when a box goes beyond what holds it. */
function boxesIn(bytes: Uint8Array, from: number, to: number): Box[] | undefined {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < MOST_BOXES; ) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= to;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short;
    const header = isLong ? 16 : 8;
    if (size < header || at + size > to) return undefined;
    boxes.push({ type: wordAt(bytes, at + 4), from: at + header, to: at + size });
    at += size;
  }
  return boxes;
}
