// Is it a sound file, and of which kind: found in the bytes themselves, whatever anybody says of them. Decodes nothing.
import { uploadTypes } from '../contract/limits.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { isMp4, readMp4 } from './sniff/mp4.ts';
import { afterTags, isFrame, readFrames } from './sniff/mpeg-frames.ts';
import { type Reading, type SoundFile, wordAt } from './sniff/sound.ts';
import { isWav, readWav } from './sniff/wav.ts';

/** What people send by mistake, by how it begins. */
const OTHERS: ReadonlyArray<readonly [beginning: string, name: string]> = [
  ['OggS', 'an Ogg file'],
  ['fLaC', 'a FLAC file'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['FORM', 'an AIFF file'],
  ['#!AMR', 'an AMR file'],
  ['\x1aE\xdf\xa3', 'a WebM or Matroska file'],
  ['MThd', 'a MIDI file'],
  ['ADIF', 'AAC without frames (ADIF)'],
];

/**
 * Reads the file to its end by the sizes that it tells: frames must follow each other, parts must fit. `invalid` says in
 * one sentence what it is instead or where it is broken. Never throws, and takes time in proportion to the bytes.
 */
export function sniffAudio(bytes: Uint8Array): Result<SoundFile> {
  const [name, reading] = read(bytes);
  return typeof reading === 'string' ? refused(`${name} ${reading}.`) : success(reading);
}

function read(bytes: Uint8Array): [name: string, reading: Reading] {
  if (bytes.length === 0) return ['The file', 'is empty'];
  if (isWav(bytes)) return ['The WAV file', readWav(bytes)];
  if (isMp4(bytes)) return ['The MP4 file', readMp4(bytes)];
  const start = afterTags(bytes);
  if (start === undefined) return ['The file', 'has an ID3 tag that is larger than the file'];
  const other = OTHERS.find(([beginning]) => wordAt(bytes, start, beginning.length) === beginning);
  if (other !== undefined) return ['The file', `is ${other[1]}`];
  if (isFrame(bytes, start)) return ['The MPEG audio', readFrames(bytes, start)];
  return ['The file', 'is of no known kind'];
}

function refused(why: string): Result<SoundFile> {
  return failure('invalid', `${why} Expected ${uploadTypes.slice(0, -1).join(', ')} or ${uploadTypes.at(-1)}.`);
}
