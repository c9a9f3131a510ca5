// Waiting for something instead of sleeping, and what to say when it did not come. Knows no kind of entry.
import type { TimeHost } from '../kernel/clock.ts';
import { isoText } from '../kernel/time.ts';
import type { Timeline } from '../kernel/timeline.ts';

/** How long a wait lasts when it does not say, in ms of real time: less than a test runner waits for a test. */
export const WAIT_MS = 4000;

export interface WaitOptions {
  /** In ms of real time. Default 4000. */
  readonly timeoutMs?: number;
}

/** What was waited for did not come in time. The message says what came instead. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

export interface Wait<T> {
  readonly host: Pick<TimeHost, 'alarm'>;
  /** Looks from now on and hands over what it finds; the result ends the looking. */
  readonly look: (found: (value: T) => void) => () => void;
  readonly timeoutMs: number | undefined;
  readonly failure: (timeoutMs: number) => string;
}

/** Resolves with the first that is found; rejects with `TimedOut`. */
export function waitUntil<T>({ host, look, timeoutMs = WAIT_MS, failure }: Wait<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => {};
    let stop = (): void => {};
    let over = false;
    const end = (): void => {
      over = true;
      cancel();
      stop();
    };
    stop = look((value) => {
      if (over) return;
      end();
      resolve(value);
    });
    if (over) stop();
    else
      cancel = host.alarm(timeoutMs, () => {
        end();
        reject(new TimedOut(failure(timeoutMs)));
      });
  });
}

/** A manual clock that nobody moves is the usual reason: where it stands and what it waits for. */
export function clockHint(clock: Timeline): string {
  if (clock.mode !== 'manual') return '';
  const next = clock.next === null ? 'no timer is set' : `"${clock.next.name}" is due at ${isoText(clock.next.at)}`;
  return ` The clock is manual and stands at ${isoText(clock.now())}; ${next}. Move it with clock.advance.`;
}
