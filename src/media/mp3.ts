// Samples to MP3, in the one format of recordings. Knows nothing of what is heard, and loads its encoder when it is first asked.
import type { WasmMediaEncoder } from 'wasm-media-encoders';
import { recordingFormat } from '../contract/recording-format.ts';

/** One file at a time: beginning another one abandons the one before. */
export class Mp3Encoder {
  readonly #wasm: WasmMediaEncoder<'audio/mpeg'>;

  constructor(wasm: WasmMediaEncoder<'audio/mpeg'>) {
    this.#wasm = wasm;
  }

  /**
   * The file in pieces, one for each piece of samples (between -1 and 1) and a last one. All pieces together are
   * `mp3Bytes` long, and the same for the same samples however they are cut.
   */
  *encode(samples: Iterable<Float32Array>): Generator<Uint8Array, void> {
    const { sampleRate, kilobitsPerSecond: bitrate } = recordingFormat;
    // LAME keeps no header frame here: `size` counts sound alone.
    this.#wasm.configure({ channels: 1, sampleRate, outputSampleRate: sampleRate, bitrate });
    // What the encoder gives lies in its own memory until it is asked again.
    for (const piece of samples) yield this.#wasm.encode([piece]).slice();
    yield this.#wasm.finalize().slice();
  }
}

/** Some 50 ms of work the first time, so it is no part of a start. */
export async function loadMp3Encoder(): Promise<Mp3Encoder> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  return new Mp3Encoder(await createMp3Encoder());
}
