// A phone on real UDP with a real socket for its sound: what it sends are tones and keys, what it hears is kept. Its stack is the engine's.
import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { decode, encode } from '../media/g711.ts';
import { readRtp, writeRtp } from '../media/rtp-packet.ts';
import { KeyReader, keyPackets } from '../media/telephone-events.ts';
import { bodyText } from '../sip/fields.ts';
import { LocalDescription } from '../sip/offer-answer.ts';
import { audioTarget, type Direction, parseSdp } from '../sip/sdp.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { Session, SessionEvents, UserAgent } from '../sip/user-agent-api.ts';
import { systemTime } from '../wires/system-time.ts';
import { UdpTransport } from '../wires/udp.ts';
import { DEADLINE_MS, until, within } from './sockets-stage.ts';

/** It knows no request within a call but offers. */
const KEYS_IN_SOUND_ALONE: SessionEvents = { onRequest: (_, request) => request.respond(405) };

const FRAME_MS = 20;
const FRAME = 160;

/** Where it registers, and who it may be: a `SocketStage`, or a simulator in a process of its own. */
export interface Surroundings {
  readonly sip: { readonly udp: { readonly host: string; readonly port: number } };
  user(index: number): { readonly ext: string; readonly sip_username: string; readonly sip_password: string };
}

export class UdpPhone {
  readonly rtp: Socket = createSocket('udp4');
  readonly clock = new Timeline({ mode: 'real', startMs: 0, host: systemTime() });
  readonly heard: Buffer[] = [];
  agent: UserAgent | undefined;
  session: Session | undefined;
  #udp: UdpTransport | undefined;
  #remote: { host: string; port: number } | undefined;
  readonly #stage: Surroundings;
  readonly #index: number;
  readonly #events: number;
  /** As agreed: the answerer takes the number of the offer. */
  #agreedEvents = 101;
  /** Frames and packets that were sent. */
  #sent = 0;
  #packets = 0;
  #ring: () => void = () => {};
  readonly rung = new Promise<void>((resolve) => {
    this.#ring = resolve;
  });

  /** `events`: the payload number that it wants for keys when it calls. */
  constructor(stage: Surroundings, index: number, events = 101) {
    this.#stage = stage;
    this.#index = index;
    this.#events = events;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.rtp.bind(0, '127.0.0.1', resolve));
    this.rtp.on('message', (packet) => this.heard.push(packet));
    this.#udp = await UdpTransport.open({
      host: '127.0.0.1',
      port: 0,
      listener: { received: (flow, bytes) => this.agent?.received(flow, bytes), closed: () => {} },
    });
    const user = this.#stage.user(this.#index);
    const exchange = this.#udp.flowTo(this.#stage.sip.udp);
    this.agent = createUserAgent({
      clock: this.clock,
      random: new Random(this.#index, 'udp phone'),
      product: 'udp phone',
      contactUser: user.ext,
      route: () => exchange,
      events: {
        onInvite: (session) => {
          this.session = session;
          session.events = KEYS_IN_SOUND_ALONE;
          const offer = bodyText(session.invite);
          this.#learn(offer);
          const parsed = parseSdp(offer);
          session.accept((parsed && this.#description.answer(parsed, this.#stream())) ?? '');
          this.#ring();
        },
        onRequest: (request) => request.respond(200),
      },
    });
  }

  register(): Promise<number> {
    const { ext, sip_username, sip_password } = this.#stage.user(this.#index);
    const { host, port } = this.#udp?.address ?? { host: '', port: 0 };
    const me = `<sip:${sip_username}@pbx>`;
    return new Promise((resolve) => {
      this.agent?.request(
        {
          method: 'REGISTER',
          uri: 'sip:pbx',
          from: me,
          to: me,
          headers: [['Contact', `<sip:${ext}@${host}:${port}>`]],
          credentials: { username: sip_username, password: sip_password },
        },
        (outcome) => resolve(outcome.status),
      );
    });
  }

  call(number: string): Promise<void> {
    this.#agreedEvents = this.#events;
    const { ext, sip_username, sip_password } = this.#stage.user(this.#index);
    return new Promise((resolve, reject) => {
      this.session = this.agent?.invite({
        uri: `sip:${number}@pbx`,
        from: `<sip:${ext}@pbx>`,
        to: `<sip:${number}@pbx>`,
        body: this.#numbered(this.#description.offer(this.#stream())),
        credentials: { username: sip_username, password: sip_password },
        events: {
          ...KEYS_IN_SOUND_ALONE,
          onAnswered: (_, response) => {
            this.#learn(bodyText(response));
            resolve();
          },
          onEnded: (_, ending) => reject(new Error(`the call ended: ${ending.by}`)),
        },
      });
    });
  }

  say(packet: Uint8Array): void {
    this.rtp.send(packet, this.#remote?.port ?? 0, this.#remote?.host ?? '');
  }

  /** Waits until it has heard that many packets more. */
  hears(packets: number): Promise<true> {
    const wanted = this.heard.length + packets;
    return until(
      () => (this.heard.length >= wanted ? true : undefined),
      (changed) => {
        this.rtp.on('message', changed);
        return () => this.rtp.off('message', changed);
      },
      `${packets} packets`,
      DEADLINE_MS + packets * FRAME_MS,
    );
  }

  /** Speaks a tone in PCMA, 20 ms at a time as phones do, until the result is called. */
  speak(hertz: number): () => void {
    const beganAt = performance.now();
    let frames = 1;
    // Timers are late, each a little: what is due is said.
    const timer = setInterval(() => {
      for (; frames * FRAME_MS <= performance.now() - beganAt; frames += 1) this.#speakFrame(hertz);
    }, FRAME_MS);
    this.#speakFrame(hertz);
    return () => clearInterval(timer);
  }

  /** Presses a key (RFC 4733): all its packets at once. */
  press(key: string): void {
    this.#sent += 1;
    for (const { payload, marker } of keyPackets(key, 100, FRAME) ?? []) {
      const timestamp = this.#sent * FRAME;
      this.#packets += 1;
      this.say(
        writeRtp({ marker, payloadType: this.#agreedEvents, sequence: this.#packets, timestamp, ssrc: 77, payload }),
      );
    }
    // The next key has another time.
    this.#sent += 8;
  }

  /** Holds, or resumes with `sendrecv`. Resolves with the status of the answer. */
  offer(direction: Direction): Promise<number> {
    return new Promise((resolve) => {
      const offer = (): string => this.#numbered(this.#description.offer({ ...this.#stream(), direction }));
      this.session?.reinvite(offer, (outcome) => resolve(outcome.status));
    });
  }

  /** What was heard so far, as samples between -1 and 1, without regard to packets that did not come. */
  get sound(): Float32Array {
    const samples = this.heard.flatMap((packet) => {
      const read = readRtp(packet);
      if (read === undefined || (read.payloadType !== 8 && read.payloadType !== 0)) return [];
      return [...decode(read.payloadType === 8 ? 'PCMA' : 'PCMU', read.payload)];
    });
    return Float32Array.from(samples, (sample) => sample / 32_768);
  }

  /** The keys that were heard in the sound, under the number of the exchange's offers. */
  get keys(): string[] {
    const reader = new KeyReader();
    return this.heard.flatMap((packet) => {
      const read = readRtp(packet);
      return (read?.payloadType === 101 ? reader.read(read, 0) : undefined) ?? [];
    });
  }

  /** The payload types of what was heard, each once, in order. */
  get payloadTypes(): number[] {
    return [...new Set(this.heard.flatMap((packet) => readRtp(packet)?.payloadType ?? []))];
  }

  #numbered(sdp: string): string {
    return sdp.replace(/(m=audio .*) 101\b/, `$1 ${this.#events}`).replaceAll(':101 ', `:${this.#events} `);
  }

  #speakFrame(hertz: number): void {
    const samples = Int16Array.from({ length: FRAME }, (_, at) =>
      Math.round(8000 * Math.sin((2 * Math.PI * hertz * (this.#sent * FRAME + at)) / 8000)),
    );
    const payload = encode('PCMA', samples);
    this.#packets += 1;
    const [timestamp, sequence] = [this.#sent * FRAME, this.#packets & 0xffff];
    this.#sent += 1;
    this.say(writeRtp({ marker: false, payloadType: 8, sequence, timestamp, ssrc: 77, payload }));
  }

  /** Resolves with the next packets that are heard. */
  hear(count: number): Promise<Buffer[]> {
    return within(
      new Promise((resolve) => {
        const look = (): void => {
          if (this.heard.length >= count) resolve(this.heard.slice(0, count));
          else this.rtp.once('message', look);
        };
        look();
      }),
      `${count} packets`,
    );
  }

  async stop(): Promise<void> {
    this.agent?.close();
    this.clock.close();
    this.rtp.close();
    await this.#udp?.close();
  }

  readonly #description = new LocalDescription('77');

  #stream() {
    const { port } = this.rtp.address() as AddressInfo;
    return { address: '127.0.0.1', port, direction: 'sendrecv' as const, codecs: ['PCMA', 'PCMU'], dtmf: true };
  }

  #learn(sdp: string): void {
    const parsed = parseSdp(sdp);
    this.#remote = parsed === undefined ? undefined : audioTarget(parsed);
  }
}
