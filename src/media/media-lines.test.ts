// Lines of parties outside, over ports that are none: who hears what in each frame.
import { beforeEach, describe, expect, it } from 'vitest';
import { decode } from './g711.ts';
import { LinesRig, LOUD, SOFT, SUM, sound } from './media-lines.rig.ts';
import { Room } from './room.ts';
import { writeRtp } from './rtp-packet.ts';

let rig: LinesRig;
beforeEach(() => {
  rig = new LinesRig();
});

describe('what is played', () => {
  it('leaves as packets of 20 ms, evenly numbered, the first one marked', () => {
    const alice = rig.party();
    alice.line.play(sound(60), false);
    rig.frames(5);
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
    const alice = rig.party();
    alice.line.play(sound(20), false);
    rig.frames(10);
    alice.line.play(sound(20), false);
    rig.frames(2);
    const [first, second] = alice.port.read;
    expect([second?.marker, (second?.sequence ?? 0) - (first?.sequence ?? 0)]).toEqual([true, 1]);
    expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(10 * 160);
  });

  it('is repeated without a gap until it is stopped, and the machine then rests', () => {
    const alice = rig.party();
    alice.line.play(sound(50), true);
    rig.frames(20);
    expect(alice.port.heard).toEqual(Array.from({ length: 20 }, () => LOUD));
    expect(Math.min(...alice.port.read.flatMap(({ payload }) => [...decode('PCMU', payload)]))).toBe(LOUD);
    alice.line.stop();
    rig.frames(5);
    expect(alice.port.sent).toHaveLength(20);
    expect(rig.clock.pending()).toEqual([]);
  });

  it('is not heard by a party that wants nothing', () => {
    const alice = rig.party();
    const none = { audio: undefined, events: undefined };
    alice.line.setFormats({ codec: 'PCMU', receive: none, send: none });
    alice.line.play(sound(60), false);
    rig.frames(5);
    expect(alice.port.sent).toEqual([]);
  });

  it('is made up for when the process was held up, and no more than half a second of it', () => {
    const alice = rig.party();
    alice.line.play(sound(4000), false);
    rig.frames(1);
    rig.lostMs = 80;
    rig.frames(1);
    expect(alice.port.sent).toHaveLength(6);
    rig.lostMs = 5080;
    rig.frames(1);
    expect(alice.port.sent).toHaveLength(6 + 25);
    rig.lostMs = -3000;
    rig.frames(4);
    expect(alice.port.sent).toHaveLength(6 + 25 + 3);
  });
});

describe('two parties', () => {
  it('hear each other under their own numbers, keys too', () => {
    const [alice, bob] = [rig.party(101, 0), rig.party(96, 0)];
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
    const [alice, bob] = [rig.party(101), rig.party('none')];
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
    const [alice, bob] = [rig.party(), rig.party()];
    alice.line.relayTo(bob.line);
    bob.line.play(sound(40, SOFT), false);
    rig.frames(3, [alice, LOUD]);
    expect(bob.port.heard).toEqual([SOFT, SOFT, LOUD]);
  });
});

describe('a line', () => {
  it('says back what it hears', () => {
    const alice = rig.party();
    alice.line.echo();
    rig.frames(8, [alice, LOUD]);
    expect(alice.port.heard).toEqual([0, 0, 0, LOUD, LOUD, LOUD, LOUD, LOUD]);
  });

  it('sends keys between the sounds', () => {
    const alice = rig.party(97);
    alice.line.play(sound(2000), false);
    rig.frames(2);
    expect(alice.line.sendDigit('7')).toBe(true);
    rig.frames(14);
    const numbers = alice.port.read.map(({ payloadType }) => payloadType);
    // 160 ms of the key, two more of its last packet, and a pause of three frames.
    expect(numbers).toEqual([0, 0, ...Array.from({ length: 10 }, () => 97), 0]);
    expect([rig.party('none').line.sendDigit('7'), alice.line.sendDigit('x')]).toEqual([false, false]);
  });

  it('closes its port, and nothing goes on', () => {
    const [alice, bob] = [rig.party(), rig.party()];
    const room = new Room();
    alice.line.enter(room);
    alice.line.play(sound(1000), true);
    bob.line.relayTo(alice.line);
    alice.line.close();
    rig.frames(3, [bob, LOUD]);
    expect([alice.port.isOpen, alice.port.sent.length, room.size, rig.clock.pending().length]).toEqual([
      false,
      0,
      0,
      0,
    ]);
    rig.lines.close();
    expect(bob.port.isOpen).toBe(false);
  });
});

describe('a conference', () => {
  it('lets each hear the others', () => {
    const [alice, bob, carol] = [rig.party(), rig.party(), rig.party()];
    const room = new Room();
    for (const { line } of [alice, bob, carol]) line.enter(room);
    rig.frames(6, [alice, LOUD], [bob, SOFT]);
    expect(alice.port.heard.slice(3)).toEqual([SOFT, SOFT, SOFT]);
    expect(bob.port.heard.slice(3)).toEqual([LOUD, LOUD, LOUD]);
    expect(carol.port.heard.slice(3)).toEqual([SUM, SUM, SUM]);
    bob.line.enter(undefined);
    const before = bob.port.sent.length;
    rig.frames(2, [alice, LOUD]);
    expect(bob.port.sent.length).toBe(before);
  });

  it('lets one hear an announcement over it', () => {
    const [alice, bob] = [rig.party(), rig.party()];
    const room = new Room();
    for (const { line } of [alice, bob]) line.enter(room);
    rig.frames(4, [alice, LOUD]);
    bob.line.play(sound(20, SOFT), false);
    rig.frames(2, [alice, LOUD]);
    expect(bob.port.heard.slice(-2)).toEqual([SUM, LOUD]);
  });
});
