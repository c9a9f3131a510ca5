// WAV files for tests, written by hand so that what reads them is judged by something else: 16 bits, one channel, 8000 samples a second.

const HEADER_BYTES = 44;
const RATE_HZ = 8000;

/** A file of so many samples: what each is, by its number. */
export function wavFile(samples: number, sampleAt: (at: number) => number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE_HZ, 24);
  bytes.writeUInt32LE(RATE_HZ * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) bytes.writeInt16LE(Math.round(sampleAt(at)), HEADER_BYTES + at * 2);
  return bytes;
}

/** So many seconds of a tone. `loud`: its peak, of 32,767. */
export function toneFile(hertz: number, seconds: number, loud: number): Buffer {
  return wavFile(seconds * RATE_HZ, (at) => loud * Math.sin((2 * Math.PI * hertz * at) / RATE_HZ));
}
