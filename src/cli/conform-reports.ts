// The reports of a conformance run that a command was asked for: `FORMAT:FILE` each. `ndjson` is written as the run goes on.

import { lineOf } from '../report/conform-lines.ts';
import type { ConformEvent, ConformRun } from '../report/conform-results.ts';
import { conformWriters } from '../report/conform-writers.ts';
import { FileTrouble, LineFile } from '../wires/files.ts';
import { checkWritable, writeReport } from '../wires/scenario-files.ts';
import { UsageError } from './errors.ts';

const STREAM = 'ndjson';

export interface Report {
  readonly file: string;
  /** Undefined of the stream, which is there already when the run is over. */
  readonly write: ((run: ConformRun) => string) | undefined;
}

/** What the flags ask for, each at a place of its own that can be written. Rejects with `UsageError`. */
export async function reportsOf(texts: readonly string[] = []): Promise<readonly Report[]> {
  const reports = texts.map(reportOf);
  await checkPlaces(reports.map(({ file }) => file));
  return reports;
}

/** Before anything is asked of a target: nobody could read what came of it. Rejects with `UsageError`. */
export async function checkPlaces(files: readonly string[], flag = '--report'): Promise<void> {
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined)
    throw new UsageError(`${flag}: ${twice} is named twice; give each report a file of its own.`);
  for (const file of files) {
    await checkWritable(file, flag).catch((error: unknown) => {
      throw error instanceof FileTrouble ? new UsageError(error.message) : error;
    });
  }
}

function reportOf(text: string): Report {
  const [, format = '', file = ''] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const write = conformWriters[format];
  if (file !== '' && (write !== undefined || format === STREAM)) return { file, write };
  const formats = [...Object.keys(conformWriters), STREAM].join(', ');
  throw new UsageError(
    `--report ${text}: expected FORMAT:FILE, such as html:report.html; FORMAT is one of ${formats}.`,
  );
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
