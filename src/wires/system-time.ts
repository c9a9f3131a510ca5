// The host's time for the one clock: the system's clock, its timers, its event loop. Knows nothing of what waits for it.
import type { TimeHost } from '../kernel/clock.ts';

/** The longest delay that the host's timers take: beyond it they would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The system's time. Alarms may be any number of milliseconds away; a longer one than the host can set is set in parts. */
export function systemTime(): TimeHost {
  return {
    now: () => Date.now(),
    alarm,
    defer: (fn) => {
      setImmediate(fn);
    },
  };
}

function alarm(delayMs: number, fn: () => void): () => void {
  let left = delayMs;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const part = Math.min(left, LONGEST_DELAY_MS);
    left -= part;
    timer = setTimeout(left > 0 ? wait : fn, part);
  };
  wait();
  return () => clearTimeout(timer);
}
