// Sound between two real phones: each hears the other through the exchange's ports, packet for packet, and the ports are given back.
import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { bodyText } from '../sip/fields.ts';
import { LocalDescription } from '../sip/offer-answer.ts';
import { audioTarget, parseSdp } from '../sip/sdp.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { Session, UserAgent } from '../sip/user-agent-api.ts';
import { systemTime } from '../wires/system-time.ts';
import { UdpTransport } from '../wires/udp.ts';
import { SocketStage, within } from './sockets-stage.ts';

/** A phone on real UDP, with a real socket for its sound. */
class UdpPhone {
  readonly rtp: Socket = createSocket('udp4');
  readonly clock = new Timeline({ mode: 'real', startMs: 0, host: systemTime() });
  readonly heard: Buffer[] = [];
  agent: UserAgent | undefined;
  session: Session | undefined;
  #udp: UdpTransport | undefined;
  #remote: { host: string; port: number } | undefined;
  readonly #stage: SocketStage;
  readonly #index: number;
  #ring: () => void = () => {};
  readonly rung = new Promise<void>((resolve) => {
    this.#ring = resolve;
  });

  constructor(stage: SocketStage, index: number) {
    this.#stage = stage;
    this.#index = index;
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
    const { ext, sip_username, sip_password } = this.#stage.user(this.#index);
    return new Promise((resolve, reject) => {
      this.session = this.agent?.invite({
        uri: `sip:${number}@pbx`,
        from: `<sip:${ext}@pbx>`,
        to: `<sip:${number}@pbx>`,
        body: this.#description.offer(this.#stream()),
        credentials: { username: sip_username, password: sip_password },
        events: {
          onAnswered: (_, response) => {
            this.#learn(bodyText(response));
            resolve();
          },
          onEnded: (_, ending) => reject(new Error(`the call ended: ${ending.by}`)),
        },
      });
    });
  }

  say(packet: Buffer): void {
    this.rtp.send(packet, this.#remote?.port ?? 0, this.#remote?.host ?? '');
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

/** An RTP packet (RFC 3550, 5.1) of 20 ms of PCMA, told apart by its sequence number. */
function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(172, 0xd5);
  bytes.writeUInt8(0x80, 0);
  bytes.writeUInt8(8, 1);
  bytes.writeUInt16BE(sequence, 2);
  return bytes;
}

describe('sound between two real phones', () => {
  let stage: SocketStage;
  let phones: UdpPhone[];

  beforeEach(async () => {
    stage = await SocketStage.open();
    phones = [new UdpPhone(stage, 0), new UdpPhone(stage, 1)];
    for (const phone of phones) {
      await phone.start();
      expect(await phone.register()).toBe(200);
    }
  });

  afterEach(async () => {
    for (const phone of phones) await phone.stop();
    await stage.close();
  });

  it('passes unchanged both ways, and the ports are free when the call is over', async () => {
    const [alice, bob] = phones as [UdpPhone, UdpPhone];
    await alice.call(stage.user(1).ext);
    await bob.rung;
    expect(stage.simulator.mediaPortsInUse).toBe(2);
    for (const sequence of [1, 2, 3]) alice.say(packet(sequence));
    expect(await bob.hear(3)).toEqual([packet(1), packet(2), packet(3)]);
    bob.say(packet(9));
    expect(await alice.hear(1)).toEqual([packet(9)]);
    alice.session?.end();
    expect(stage.simulator.world.exchange.liveCalls(1)).toHaveLength(1);
    await within(
      new Promise<void>((resolve) => {
        const stop = stage.simulator.journal.subscribe(({ kind }) => {
          if (kind !== 'call.closed') return;
          stop();
          resolve();
        });
      }),
      'the end of the call',
    );
    expect(stage.simulator.mediaPortsInUse).toBe(0);
  });
});
