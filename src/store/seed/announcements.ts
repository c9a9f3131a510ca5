// A short announcement for a seeded account: two tones as a WAV file, so that it can be played. Knows no upload.
import { type Furnishing, make, userAt } from './furnish.ts';

const RATE_HZ = 8000;
const SECONDS = 0.4;
const HEADER_BYTES = 44;

/** One greeting, used by the user whose it is. */
export function seedAnnouncements(furnishing: Furnishing): void {
  const { store } = furnishing.ground;
  const owner = userAt(furnishing, 0);
  const greeting = make(furnishing, 'vmannouncements', {
    ...{ extension_id: owner, description: 'Greeting', audio_type: 'WAV' },
    data: Buffer.from(chime()).toString('base64'),
  });
  store.users.update(owner, { vm_announcement_id: greeting.id });
}

/** 16-bit mono PCM with its RIFF header. */
function chime(): Uint8Array {
  const samples = Math.round(RATE_HZ * SECONDS);
  const bytes = new Uint8Array(HEADER_BYTES + samples * 2);
  const view = new DataView(bytes.buffer);
  const words: ReadonlyArray<readonly [number, string]> = [
    [0, 'RIFF'],
    [8, 'WAVE'],
    [12, 'fmt '],
    [36, 'data'],
  ];
  for (const [at, word] of words) bytes.set(new TextEncoder().encode(word), at);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE_HZ, true);
  view.setUint32(28, RATE_HZ * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, samples * 2, true);
  for (let index = 0; index < samples; index += 1) {
    const pitchHz = index < samples / 2 ? 660 : 880;
    view.setInt16(HEADER_BYTES + index * 2, 8000 * Math.sin((2 * Math.PI * pitchHz * index) / RATE_HZ), true);
  }
  return bytes;
}
