// Packets in any order become frames in order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JitterBuffer } from './jitter-buffer.ts';

/** The packet with that number: 160 samples that all say it. */
const frame = (number: number): Int16Array => new Int16Array(160).fill(number);

function heard(buffer: JitterBuffer, frames: number): Array<number | undefined> {
  return Array.from({ length: frames }, () => buffer.pull(160)?.[80]);
}

describe('the jitter buffer', () => {
  it('gives nothing before somebody speaks, and then waits for 60 ms', () => {
    const buffer = new JitterBuffer();
    expect(buffer.pull(160)).toBeUndefined();
    for (const number of [1, 2, 3]) buffer.push(7, number * 160, frame(number));
    expect(heard(buffer, 6)).toEqual([0, 0, 0, 1, 2, 3]);
  });

  it('puts packets in order, forgets doubles, and is silent for lost ones', () => {
    const buffer = new JitterBuffer();
    for (const number of [1, 3, 2, 2, 5]) buffer.push(7, number * 160, frame(number));
    expect(heard(buffer, 8)).toEqual([0, 0, 0, 1, 2, 3, 0, 5]);
  });

  it('ends with its speaker, and begins again with the next word', () => {
    const buffer = new JitterBuffer();
    buffer.push(7, 160, frame(1));
    expect(heard(buffer, 9)).toEqual([0, 0, 0, 1, 0, 0, 0, undefined, undefined]);
    buffer.push(7, 1_000_000, frame(2));
    expect(heard(buffer, 4)).toEqual([0, 0, 0, 2]);
  });

  it('takes 10 ms and 60 ms packets, and time that runs over its 32 bits', () => {
    const buffer = new JitterBuffer();
    for (let part = 0; part < 8; part += 1)
      buffer.push(7, (0xffffff00 + part * 80) >>> 0, new Int16Array(80).fill(part));
    expect(heard(buffer, 7)).toEqual([0, 0, 0, 1, 3, 5, 7]);
    const long = new JitterBuffer();
    long.push(7, 0, new Int16Array(480).fill(9));
    expect(heard(long, 6)).toEqual([0, 0, 0, 9, 9, 9]);
  });

  it('follows a new source, and a time that leaps', () => {
    const buffer = new JitterBuffer();
    buffer.push(7, 160, frame(1));
    buffer.push(8, 90_000, frame(2));
    expect(heard(buffer, 4)).toEqual([0, 0, 0, 2]);
    buffer.push(8, 5_000_000, frame(3));
    expect(heard(buffer, 4)).toEqual([0, 0, 0, 3]);
    for (let late = 0; late < 6; late += 1) buffer.push(8, 1000 + late * 160, frame(10 + late));
    expect(heard(buffer, 5)).toEqual([0, 0, 0, 14, 15]);
  });

  it('is heard late when its packets are late, and nothing of it is lost', () => {
    const buffer = new JitterBuffer();
    const out: Array<number | undefined> = [];
    // A sender whose 20 ms take 25.
    for (let ms = 0, number = 1; ms < 1000; ms += 5) {
      if (ms % 25 === 0) buffer.push(7, number * 160, frame(number++));
      if (ms % 20 === 0) out.push(...heard(buffer, 1));
    }
    const numbers = out.filter((number) => number !== undefined && number > 0);
    expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(35);
  });

  it('leaves out what piles up when a sender is too fast', () => {
    const buffer = new JitterBuffer();
    for (let number = 1; number <= 20; number += 1) buffer.push(7, number * 160, frame(number));
    expect(heard(buffer, 4)).toEqual([18, 19, 20, 0]);
  });

  it('gives frames of the length that is asked for, whatever comes', () => {
    const step = fc.oneof(
      fc.record({ ssrc: fc.nat(2), at: fc.integer({ min: 0, max: 0xffffffff }), length: fc.nat(5000) }),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const buffer = new JitterBuffer();
        for (const one of steps) {
          if (one !== undefined) buffer.push(one.ssrc, one.at, new Int16Array(one.length));
          else expect([undefined, 160]).toContain(buffer.pull(160)?.length);
        }
      }),
    );
  });
});
