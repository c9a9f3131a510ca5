// Lines of parties outside, over ports that are none: who hears what in each frame, and what goes into recordings.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Timeline } from '../kernel/timeline.ts';
import { decode, encode } from './g711.ts';
import type { MediaLine, PacketPort } from './media-line.ts';
import { MediaLines } from './media-lines.ts';
import { Room } from './room.ts';
import { type RtpPacket, readRtp, writeRtp } from './rtp-packet.ts';
import { soundOf } from './sound.ts';
import { Take } from './takes.ts';

class FakePort implements PacketPort {
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

interface Party {
  readonly line: MediaLine;
  readonly port: FakePort;
  /** Sends 20 ms of a sound that is that loud. */
  say(loud: number): void;
}

let clock: Timeline;
const pass = (ms: number): unknown => clock.advanceTo(clock.now() + ms);
/** What the process did not see pass. */
let lostMs: number;
let chance: number;
let parties: number;
let lines: MediaLines;
let port: FakePort;

beforeEach(() => {
  clock = new Timeline({ mode: 'manual', startMs: 0 });
  chance = 0;
  lostMs = 0;
  parties = 0;
  lines = new MediaLines({
    open: () => port,
    time: {
      now: () => clock.now() + lostMs,
      alarm: (delayMs, fn) => {
        const timer = clock.after(delayMs, 'alarm', fn);
        return () => timer.cancel();
      },
    },
    chance: () => (chance += 1),
    silenceS: 10,
  });
});

function party(events: number | 'none' = 101, audio = 0): Party {
  port = new FakePort();
  const own = port;
  const line = lines.open();
  if (line === undefined) throw new Error('no line');
  const numbers = { audio, events: events === 'none' ? undefined : events };
  line.setFormats({ codec: 'PCMU', receive: numbers, send: numbers });
  parties += 1;
  const ssrc = parties;
  let sequence = 0;
  const say = (loud: number): void => {
    sequence += 1;
    const payload = encode('PCMU', new Int16Array(160).fill(loud));
    const timestamp = sequence * 160;
    own.onPacket?.(writeRtp({ marker: false, payloadType: audio, sequence, timestamp, ssrc, payload }));
  };
  return { line, port: own, say };
}

/** G.711 of these comes back as it was. */
const LOUD = 988;
const SOFT = 244;
const SUM = 1244;

/** So many frames, in each of which these parties speak. */
function frames(count: number, ...speaking: ReadonlyArray<readonly [Party, number]>): void {
  for (let frame = 0; frame < count; frame += 1) {
    for (const [who, loud] of speaking) who.say(loud);
    pass(20);
  }
}

const sound = (ms: number, loud = LOUD) => soundOf('test', ms, () => new Int16Array((ms * 8) | 0).fill(loud));

describe('what is played', () => {
  it('leaves as packets of 20 ms, evenly numbered, the first one marked', () => {
    const alice = party();
    alice.line.play(sound(60), false);
    frames(5);
    expect(alice.port.heard).toEqual([LOUD, LOUD, LOUD]);
    const { read } = alice.port;
    expect(read.map(({ marker, payloadType }) => [marker, payloadType])).toEqual([
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    expect(read.map(({ sequence }) => sequence - (read[0]?.sequence ?? 0))).toEqual([0, 1, 2]);
    expect(read.map(({ timestamp }) => timestamp - (read[0]?.timestamp ?? 0))).toEqual([0, 160, 320]);
    expect(new Set(read.map(({ ssrc }) => ssrc)).size).toBe(1);
  });

  it('goes on in time when something is played later', () => {
    const alice = party();
    alice.line.play(sound(20), false);
    frames(10);
    alice.line.play(sound(20), false);
    frames(2);
    const [first, second] = alice.port.read;
    expect([second?.marker, (second?.sequence ?? 0) - (first?.sequence ?? 0)]).toEqual([true, 1]);
    expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(10 * 160);
  });

  it('is repeated without a gap until it is stopped, and the machine then rests', () => {
    const alice = party();
    alice.line.play(sound(50), true);
    frames(20);
    expect(alice.port.heard).toEqual(Array.from({ length: 20 }, () => LOUD));
    expect(Math.min(...alice.port.read.flatMap(({ payload }) => [...decode('PCMU', payload)]))).toBe(LOUD);
    alice.line.stop();
    frames(5);
    expect(alice.port.sent).toHaveLength(20);
    expect(clock.pending()).toEqual([]);
  });

  it('is not heard by a party that wants nothing', () => {
    const alice = party();
    const none = { audio: undefined, events: undefined };
    alice.line.setFormats({ codec: 'PCMU', receive: none, send: none });
    alice.line.play(sound(60), false);
    frames(5);
    expect(alice.port.sent).toEqual([]);
  });

  it('is made up for when the process was held up, and no more than half a second of it', () => {
    const alice = party();
    alice.line.play(sound(4000), false);
    frames(1);
    lostMs = 80;
    frames(1);
    expect(alice.port.sent).toHaveLength(6);
    lostMs = 5080;
    frames(1);
    expect(alice.port.sent).toHaveLength(6 + 25);
    lostMs = -3000;
    frames(4);
    expect(alice.port.sent).toHaveLength(6 + 25 + 3);
  });
});

describe('two parties', () => {
  it('hear each other under their own numbers, keys too', () => {
    const [alice, bob] = [party(101, 0), party(96, 0)];
    alice.line.relayTo(bob.line);
    bob.line.relayTo(alice.line);
    alice.say(LOUD);
    const key = {
      marker: true,
      payloadType: 101,
      sequence: 1,
      timestamp: 1,
      ssrc: 1,
      payload: Uint8Array.of(5, 10, 0, 160),
    };
    alice.port.onPacket?.(writeRtp(key));
    expect(bob.port.read.map(({ payloadType, marker }) => [payloadType, marker])).toEqual([
      [0, false],
      [96, true],
    ]);
    bob.say(SOFT);
    expect(alice.port.heard).toEqual([SOFT]);
  });

  it('do not get keys that they have not agreed on', () => {
    const [alice, bob] = [party(101), party('none')];
    const digits: string[] = [];
    alice.line.listener = { digit: (digit) => digits.push(digit), silent: () => {} };
    alice.line.relayTo(bob.line);
    const key = {
      marker: true,
      payloadType: 101,
      sequence: 1,
      timestamp: 1,
      ssrc: 1,
      payload: Uint8Array.of(5, 10, 0, 160),
    };
    for (let times = 0; times < 3; times += 1) alice.port.onPacket?.(writeRtp(key));
    expect(bob.port.sent).toEqual([]);
    expect(digits).toEqual(['5']);
  });

  it('are not heard while something is played to the other', () => {
    const [alice, bob] = [party(), party()];
    alice.line.relayTo(bob.line);
    bob.line.play(sound(40, SOFT), false);
    frames(3, [alice, LOUD]);
    expect(bob.port.heard).toEqual([SOFT, SOFT, LOUD]);
  });
});

describe('a line', () => {
  it('says back what it hears', () => {
    const alice = party();
    alice.line.echo();
    frames(8, [alice, LOUD]);
    expect(alice.port.heard).toEqual([0, 0, 0, LOUD, LOUD, LOUD, LOUD, LOUD]);
  });

  it('sends keys between the sounds', () => {
    const alice = party(97);
    alice.line.play(sound(2000), false);
    frames(2);
    expect(alice.line.sendDigit('7')).toBe(true);
    frames(14);
    const numbers = alice.port.read.map(({ payloadType }) => payloadType);
    // 160 ms of the key, two more of its last packet, and a pause of three frames.
    expect(numbers).toEqual([0, 0, ...Array.from({ length: 10 }, () => 97), 0]);
    expect([party('none').line.sendDigit('7'), alice.line.sendDigit('x')]).toEqual([false, false]);
  });

  it('closes its port, and nothing goes on', () => {
    const [alice, bob] = [party(), party()];
    const room = new Room();
    alice.line.enter(room);
    alice.line.play(sound(1000), true);
    bob.line.relayTo(alice.line);
    alice.line.close();
    frames(3, [bob, LOUD]);
    expect([alice.port.isOpen, alice.port.sent.length, room.size, clock.pending().length]).toEqual([false, 0, 0, 0]);
    lines.close();
    expect(bob.port.isOpen).toBe(false);
  });
});

describe('a conference', () => {
  it('lets each hear the others', () => {
    const [alice, bob, carol] = [party(), party(), party()];
    const room = new Room();
    for (const { line } of [alice, bob, carol]) line.enter(room);
    frames(6, [alice, LOUD], [bob, SOFT]);
    expect(alice.port.heard.slice(3)).toEqual([SOFT, SOFT, SOFT]);
    expect(bob.port.heard.slice(3)).toEqual([LOUD, LOUD, LOUD]);
    expect(carol.port.heard.slice(3)).toEqual([SUM, SUM, SUM]);
    bob.line.enter(undefined);
    const before = bob.port.sent.length;
    frames(2, [alice, LOUD]);
    expect(bob.port.sent.length).toBe(before);
  });

  it('lets one hear an announcement over it', () => {
    const [alice, bob] = [party(), party()];
    const room = new Room();
    for (const { line } of [alice, bob]) line.enter(room);
    frames(4, [alice, LOUD]);
    bob.line.play(sound(20, SOFT), false);
    frames(2, [alice, LOUD]);
    expect(bob.port.heard.slice(-2)).toEqual([SUM, LOUD]);
  });
});

describe('a recording', () => {
  /** The loudest sample of each 20 ms. */
  const heardOn = (take: Take): number[] =>
    [...take.samples(take.length)].flatMap((second) =>
      Array.from({ length: second.length / 160 }, (_, at) =>
        Math.round(Math.max(...second.subarray(at * 160, at * 160 + 160)) * 32_768),
      ),
    );

  it('has what both parties say', () => {
    const [alice, bob] = [party(), party()];
    const take = new Take();
    for (const { line } of [alice, bob]) line.record(take);
    alice.line.relayTo(bob.line);
    bob.line.relayTo(alice.line);
    frames(2, [alice, LOUD]);
    frames(2, [alice, LOUD], [bob, SOFT]);
    frames(5);
    expect(heardOn(take)).toEqual([0, 0, 0, LOUD, LOUD, SUM, SUM, 0, 0]);
  });

  it('has both parties too where it is made on the line of one', () => {
    const [alice, bob] = [party(), party(96, 8)];
    const take = new Take();
    alice.line.record(take);
    alice.line.relayTo(bob.line);
    bob.line.relayTo(alice.line);
    frames(2, [alice, LOUD]);
    frames(2, [alice, LOUD], [bob, SOFT]);
    frames(3);
    expect(heardOn(take)).toEqual([0, 0, 0, LOUD, LOUD, SUM, SUM]);
  });

  it('has what is played, and what a caller of a room hears', () => {
    const [alice, bob] = [party(), party()];
    const take = new Take();
    const room = new Room();
    alice.line.record(take);
    alice.line.play(sound(20), false);
    frames(2);
    for (const { line } of [alice, bob]) line.enter(room);
    frames(4, [bob, SOFT]);
    expect(heardOn(take)).toEqual([LOUD, 0, 0, 0, 0, SOFT]);
  });

  it('leaves out what is said while it is paused, and ends when it is told', () => {
    const alice = party();
    const take = new Take();
    alice.line.record(take);
    frames(4, [alice, LOUD]);
    take.pause();
    frames(10, [alice, SOFT]);
    take.resume();
    frames(1, [alice, LOUD]);
    alice.line.record(undefined);
    frames(5, [alice, LOUD]);
    expect(heardOn(take)).toHaveLength(5);
    expect(clock.pending()).toEqual([]);
  });
});

describe('whatever arrives', () => {
  it('is no trouble, to whoever hears, records, mixes or echoes it', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .record({ type: fc.constantFrom(0, 101), time: fc.nat(), payload: fc.uint8Array({ maxLength: 2000 }) })
        .map(({ type, time, payload }) =>
          writeRtp({ marker: false, payloadType: type, sequence: 1, timestamp: time >>> 0, ssrc: 5, payload }),
        ),
    );
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 20 }), (packets) => {
        const [alice, bob] = [party(), party()];
        const take = new Take();
        alice.line.relayTo(bob.line);
        for (const { line } of [alice, bob]) line.record(take);
        for (const packet of packets) {
          for (const own of [alice.port, bob.port]) own.onPacket?.(packet);
          frames(1);
        }
        alice.line.enter(new Room());
        bob.line.echo();
        for (const packet of packets) for (const own of [alice.port, bob.port]) own.onPacket?.(packet);
        frames(3);
        expect(take.length).toBe((packets.length + 3) * 160);
        for (const { line } of [alice, bob]) line.close();
        expect(clock.pending()).toEqual([]);
      }),
    );
  });
});

describe('a party that goes silent', () => {
  const told: number[] = [];
  beforeEach(() => {
    told.length = 0;
  });
  const watched = (): Party => {
    const alice = party();
    alice.line.listener = { digit: () => {}, silent: (seconds) => told.push(seconds) };
    alice.line.expectSound(true);
    return alice;
  };

  it('is noticed once, when it had sent something', () => {
    const alice = watched();
    pass(30_000);
    expect(told).toEqual([]);
    alice.say(LOUD);
    pass(6000);
    alice.say(LOUD);
    pass(9999);
    expect(told).toEqual([]);
    pass(1);
    expect(told).toEqual([10]);
    pass(60_000);
    expect(told).toEqual([10]);
  });

  it('may be silent while it holds or is gone', () => {
    const alice = watched();
    alice.say(LOUD);
    alice.line.expectSound(false);
    pass(60_000);
    alice.line.expectSound(true);
    pass(9000);
    expect(told).toEqual([]);
    alice.line.close();
    pass(60_000);
    expect([told, clock.pending()]).toEqual([[], []]);
  });
});
