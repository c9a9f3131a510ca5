// Lines over ports that are none, on a clock that stands still: parties that say something loud or soft, and what they hear.
import { Timeline } from '../kernel/timeline.ts';
import { decode, encode } from './g711.ts';
import type { MediaLine, PacketPort } from './media-line.ts';
import { MediaLines } from './media-lines.ts';
import { type RtpPacket, readRtp, writeRtp } from './rtp-packet.ts';
import { type Sound, soundOf } from './sound.ts';

/** G.711 of these comes back as it was. */
export const LOUD = 988;
export const SOFT = 244;
/** Both at once, as G.711 has it. */
export const SUM = 1244;

export class FakePort implements PacketPort {
  readonly address = { host: '192.0.2.1', port: 20_000 };
  readonly sent: Uint8Array[] = [];
  onPacket: PacketPort['onPacket'];
  isOpen = true;

  setRemote(): void {}

  send(packet: Uint8Array): void {
    if (this.isOpen) this.sent.push(packet);
  }

  close(): void {
    this.isOpen = false;
  }

  get read(): RtpPacket[] {
    return this.sent.flatMap((packet) => readRtp(packet) ?? []);
  }

  /** The loudest sample of each packet that was sent. */
  get heard(): number[] {
    return this.read.map(({ payload }) => Math.max(...decode('PCMU', payload)));
  }
}

export interface Party {
  readonly line: MediaLine;
  readonly port: FakePort;
  /** Sends 20 ms of a sound that is that loud. */
  say(loud: number): void;
}

export class LinesRig {
  readonly clock = new Timeline({ mode: 'manual', startMs: 0 });
  readonly lines: MediaLines;
  /** What the process did not see pass. */
  lostMs = 0;
  #port = new FakePort();
  #chance = 0;
  #parties = 0;

  constructor() {
    const { clock } = this;
    this.lines = new MediaLines({
      open: () => this.#port,
      time: {
        now: () => clock.now() + this.lostMs,
        alarm: (delayMs, fn) => {
          const timer = clock.after(delayMs, 'alarm', fn);
          return () => timer.cancel();
        },
      },
      chance: () => {
        this.#chance += 1;
        return this.#chance;
      },
      silenceS: 10,
    });
  }

  party(events: number | 'none' = 101, audio = 0): Party {
    const port = new FakePort();
    this.#port = port;
    const line = this.lines.open();
    if (line === undefined) throw new Error('no line');
    const numbers = { audio, events: events === 'none' ? undefined : events };
    line.setFormats({ codec: 'PCMU', receive: numbers, send: numbers });
    this.#parties += 1;
    const ssrc = this.#parties;
    let sequence = 0;
    const say = (loud: number): void => {
      sequence += 1;
      const payload = encode('PCMU', new Int16Array(160).fill(loud));
      const timestamp = sequence * 160;
      port.onPacket?.(writeRtp({ marker: false, payloadType: audio, sequence, timestamp, ssrc, payload }));
    };
    return { line, port, say };
  }

  pass(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms);
  }

  /** So many frames, in each of which these parties speak. */
  frames(count: number, ...speaking: ReadonlyArray<readonly [Party, number]>): void {
    for (let frame = 0; frame < count; frame += 1) {
      for (const [who, loud] of speaking) who.say(loud);
      this.pass(20);
    }
  }
}

/** So long, so loud throughout. */
export function sound(ms: number, loud = LOUD): Sound {
  return soundOf('test', ms, () => new Int16Array(ms * 8).fill(loud));
}
