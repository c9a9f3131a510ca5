// How far a run is, on a terminal: one line that is written over. Knows no check.
import type { ConformEvent } from '../report/conform-results.ts';

const ERASE_LINE = '\r\u001b[2K';

export interface Progress {
  take(event: ConformEvent): void;
  /** The line goes. */
  close(): void;
}

/** `write`: to a terminal; elsewhere there is nothing to be shown. */
export function progressOn(write: (text: string) => void): Progress {
  let planned = 0;
  let ended = 0;
  let failed = 0;
  let shown = '';
  return {
    take: (event) => {
      if (event.event === 'run started') planned = event.planned.length;
      if (event.event !== 'check ended') return;
      ended += 1;
      if (event.result.verdict === 'fail' || event.result.verdict === 'error') failed += 1;
      const percent = Math.floor((ended / planned) * 100);
      const line = `${percent} %  ${ended} of ${planned} checks${failed === 0 ? '' : `, ${failed} failed`}`;
      // A line for each per cent is enough: a terminal is slower than a run.
      if (line.split(' ')[0] === shown.split(' ')[0] && ended < planned) return;
      shown = line;
      write(`${ERASE_LINE}${line}`);
    },
    close: () => write(ERASE_LINE),
  };
}
