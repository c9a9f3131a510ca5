// Waiting without sleeps: when the clock is moved, how far, and who is let go when.
import { describe, expect, it } from 'vitest';
import { ManualTime, type Seen, type TargetClock } from './scenario-time.ts';

/** A target whose timers are known; it notes where its clock was moved to. */
class FakeClock implements TargetClock {
  readonly moves: number[] = [];
  asked = 0;
  nowMs = 0;
  busyLooks = 0;
  readonly #timers: number[];

  constructor(...timers: number[]) {
    this.#timers = timers;
  }

  clock() {
    this.asked += 1;
    return this.#view();
  }

  moveTo(ms: number) {
    this.moves.push(ms);
    this.nowMs = ms;
    return this.#view();
  }

  #view() {
    const busy = this.busyLooks > 0 ? 1 : 0;
    this.busyLooks -= busy;
    const nextMs = this.#timers.find((at) => at > this.nowMs);
    return Promise.resolve({ nowMs: this.nowMs, mode: 'manual', busy, nextMs });
  }
}

const atOnce = {
  alarm: (_ms: number, fn: () => void) => {
    queueMicrotask(fn);
    return () => {};
  },
};
const timeOf = (clock: FakeClock, receiver = { handling: 0 }): ManualTime => new ManualTime(clock, receiver, atOnce);
const when = (is: () => boolean) => async (): Promise<Seen<string, string>> =>
  is() ? { is: 'so', value: 'there' } : { is: 'not', difference: 'not there' };

describe('time that is told', () => {
  it('goes from timer to timer until it is so, and no further', async () => {
    const clock = new FakeClock(1000, 2500, 9000);
    expect(
      await timeOf(clock).until(
        when(() => clock.nowMs >= 2500),
        { withinMs: 5000 },
      ),
    ).toEqual({ is: 'so', value: 'there' });
    expect(clock.moves).toEqual([1000, 2500]);
  });

  it('asks the clock once before it waits: each move says where it has come to', async () => {
    const clock = new FakeClock(1000, 2000, 3000, 4000);
    const time = timeOf(clock);
    await time.until(
      when(() => clock.nowMs >= 4000),
      { withinMs: 5000 },
    );
    await time.pass(1000);
    expect(clock.moves).toEqual([1000, 2000, 3000, 4000, 5000]);
    expect(clock.asked).toBe(2);
  });

  it('asks again when a move leaves something under way', async () => {
    const clock = new FakeClock(1000, 2000);
    const receiver = { handling: 0 };
    const seen: number[] = [];
    const look = async (): Promise<Seen<true, true>> => {
      seen.push(clock.nowMs);
      if (clock.nowMs === 0) clock.busyLooks = 3;
      return clock.nowMs >= 2000 ? { is: 'so', value: true } : { is: 'not', difference: true };
    };
    await timeOf(clock, receiver).until(look, { withinMs: 5000 });
    expect(seen).toEqual([0, 1000, 2000]);
    // Once at first, then until the move to 1000 has come to rest: busy in its own answer and twice more.
    expect(clock.asked).toBe(4);
  });

  it('does not move when it is so already', async () => {
    const clock = new FakeClock(1000);
    await timeOf(clock).until(
      when(() => true),
      { withinMs: 5000 },
    );
    expect(clock.moves).toEqual([]);
  });

  it('ends at its own deadline, before a later timer', async () => {
    const clock = new FakeClock(1000, 9000);
    expect(
      await timeOf(clock).until(
        when(() => false),
        { withinMs: 5000 },
      ),
    ).toEqual({ is: 'not', difference: 'not there' });
    expect(clock.moves).toEqual([1000, 5000]);
  });

  it('does not wait for what can never be', async () => {
    const clock = new FakeClock(1000);
    const look = async (): Promise<Seen<string, string>> => ({ is: 'never', difference: 'gone' });
    expect(await timeOf(clock).until(look, { withinMs: 5000 })).toEqual({ is: 'never', difference: 'gone' });
    expect(clock.moves).toEqual([]);
  });

  it('asks that it stays so, and begins anew when it does not', async () => {
    const clock = new FakeClock(1000, 2000, 3000);
    const look = when(() => clock.nowMs === 1000 || clock.nowMs >= 3000);
    expect(await timeOf(clock).until(look, { withinMs: 9000, holdForMs: 1500 })).toEqual({ is: 'so', value: 'there' });
    expect(clock.moves).toEqual([1000, 2000, 3000, 4500]);
  });

  it('looks only when target and receiver are quiet', async () => {
    const clock = new FakeClock(1000);
    clock.busyLooks = 3;
    const receiver = { handling: 1 };
    queueMicrotask(() => {
      receiver.handling = 0;
    });
    let looks = 0;
    await timeOf(clock, receiver).until(
      when(() => {
        looks += 1;
        expect([clock.busyLooks, receiver.handling]).toEqual([0, 0]);
        return true;
      }),
      { withinMs: 1000 },
    );
    expect(looks).toBe(1);
  });

  it('moves only while every branch waits', async () => {
    const clock = new FakeClock(1000, 2000, 3000);
    const time = timeOf(clock);
    const story: string[] = [];
    const branch =
      (name: string, ...ats: number[]) =>
      async () => {
        for (const at of ats) {
          await time.until(
            when(() => clock.nowMs >= at),
            { withinMs: 9000 },
          );
          story.push(`${name} at ${clock.nowMs}`);
        }
      };
    await time.together([branch('a', 1000, 3000), branch('b', 2000, 2000, 3000), branch('c')]);
    await time.pass(500);
    expect(story).toEqual(['a at 1000', 'b at 2000', 'b at 2000', 'a at 3000', 'b at 3000']);
    expect(clock.nowMs).toBe(3500);
  });

  it('lets the other branches end when one fails, then fails', async () => {
    const clock = new FakeClock(1000);
    const time = timeOf(clock);
    let ended = false;
    const failing = time.together([
      () => Promise.reject(new Error('no phone')),
      async () => {
        await time.pass(2000);
        ended = true;
      },
    ]);
    await expect(failing).rejects.toThrow('no phone');
    expect(ended).toBe(true);
  });

  it('passes a failure of the target on to whoever waits', async () => {
    const clock = new FakeClock(1000);
    clock.moveTo = () => Promise.reject(new Error('connection refused'));
    await expect(
      timeOf(clock).until(
        when(() => false),
        { withinMs: 10 },
      ),
    ).rejects.toThrow('connection refused');
  });
});
