// The reports of a conformance run that a command was asked for: `FORMAT:FILE` each. `ndjson` is written as the run goes on.

import { lineOf } from '../report/conform-lines.ts';
import type { ConformEvent, ConformRun } from '../report/conform-results.ts';
import { conformWriters } from '../report/conform-writers.ts';
import { LineFile } from '../wires/files.ts';
import { writeReport } from '../wires/scenario-files.ts';
import { UsageError } from './errors.ts';

const STREAM = 'ndjson';

export interface Report {
  readonly file: string;
  /** Undefined of the stream, which is there already when the run is over. */
  readonly write: ((run: ConformRun) => string) | undefined;
}

export function reportOf(text: string): Report {
  const [, format = '', file = ''] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const write = conformWriters[format];
  if (write !== undefined || format === STREAM) return { file, write };
  const formats = [...Object.keys(conformWriters), STREAM].join(', ');
  throw new UsageError(`--report ${text}: expected FORMAT:FILE, FORMAT one of ${formats}.`);
}

export async function writeReports(reports: readonly Report[], run: ConformRun): Promise<void> {
  for (const { file, write } of reports) if (write !== undefined) await writeReport(file, write(run), '--report');
}

export interface Stream {
  take(event: ConformEvent): void;
  /** Rejects with the trouble that lost lines. */
  close(): Promise<void>;
}

/** The files that are written as the run goes on; what was in them is gone. */
export async function openStreams(reports: readonly Report[]): Promise<Stream> {
  const files: LineFile[] = [];
  for (const { file, write } of reports) {
    if (write !== undefined) continue;
    await writeReport(file, '', '--report');
    files.push(await LineFile.open(file, '--report'));
  }
  return {
    take: (event) => {
      for (const file of files) file.write(lineOf(event));
    },
    close: async () => {
      for (const file of files) await file.close();
      const trouble = files.find((file) => file.trouble !== undefined)?.trouble;
      if (trouble !== undefined) throw trouble;
    },
  };
}
