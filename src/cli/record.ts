// pbxsim record: follows a running simulator's journal while somebody works by hand, then writes a scenario that does it again.
import { basename } from 'node:path';
import { JournalHeard, type RecordedEntry } from '../harness/recording/journal-heard.ts';
import { type Roster, rosterOf } from '../harness/recording/roster.ts';
import { type Histories, scenarioOf } from '../harness/recording/scenario-of.ts';
import { scenarioText } from '../harness/recording/scenario-text.ts';
import { type ControlClient, ControlTrouble } from '../harness/run/control-client.ts';
import { isoText } from '../kernel/time.ts';
import { readEventStream, type StreamEnd } from '../wires/event-stream.ts';
import { HttpClient } from '../wires/http-client.ts';
import { exists, writeReport } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';
import { checkPlaces } from './conform-reports.ts';
import { type ControlFlags, controlRoot, nobodyThere } from './control-flags.ts';
import { UsageError } from './errors.ts';
import { withControl } from './running-simulator.ts';
import { trustedAuthority } from './trusted.ts';

export interface RecordFlags extends ControlFlags {
  /** Ends after so many calls have ended. */
  readonly calls?: number;
  /** Ends after so long, s of real time. */
  readonly seconds?: number;
  /** Writes over a file that is there. */
  readonly force?: boolean;
}

export interface RecordPorts {
  readonly tell: (line: string) => void;
  /** Calls `end` when somebody wants it to end. */
  readonly onEnd: (end: () => void) => void;
}

/** Accounts whose users are asked for. */
const MAX_CUSTOMERS = 20;
/** What a call's end brings about, such as the answer to the request that ended it, has come by then: ms of real time. */
const SETTLE_MS = 250;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function record(file: string, flags: RecordFlags): Promise<void> {
  await recordWith(file, flags, {
    tell: (line) => process.stderr.write(`${line}\n`),
    onEnd: (end) => {
      for (const signal of SIGNALS) process.once(signal, end);
    },
  });
  for (const signal of SIGNALS) process.removeAllListeners(signal);
}

/** Resolves when the file is written. Rejects with one sentence. */
export async function recordWith(file: string, flags: RecordFlags, ports: RecordPorts): Promise<void> {
  const id = idOf(file);
  if (flags.force !== true && (await exists(file))) {
    throw new UsageError(`${file} is there already: give another name, or --force to write over it.`);
  }
  await checkPlaces([file], 'file');
  await withControl(flags, async (control) => {
    const roster = await rosterAt(control);
    const startedAt = (await control.clock()).nowMs;
    const { last } = await control.journal(Number.MAX_SAFE_INTEGER, 'sip');
    const heard = new JournalHeard(roster);
    ports.tell('Recording: work with phones and the API; Ctrl-C ends it and writes the scenario.');
    const reached = await followJournal(heard, { after: last, flags, ports });
    await readOn(control, heard, reached).catch(unlessGone);
    const { recording } = heard;
    const histories = await historiesOf(
      recording.calls.flatMap((call) => (call.closed === undefined ? [] : [call.id])),
      roster,
      flags,
    );
    const draft = scenarioOf({ recording, roster, histories }, id);
    const origin = `Recorded from ${new URL(controlRoot(flags)).origin}, beginning at ${isoText(startedAt)}.`;
    const full = heard.isFull ? ['It was too long to be recorded whole.'] : [];
    await writeReport(file, scenarioText({ ...draft, remarks: [...full, ...draft.remarks] }, origin), 'file');
    const steps = draft.steps.filter(({ step }) => step !== undefined).length;
    ports.tell(
      `${file}: ${counted(recording.calls.length, 'call')}, ${counted(steps, 'step')}. Try it: pbxsim run ${file}`,
    );
  });
}

interface Following {
  /** Order of the last entry that is not to be recorded. */
  readonly after: number;
  readonly flags: RecordFlags;
  readonly ports: RecordPorts;
}

/** Hears entries until somebody wants it to end, or the simulator does; resolves with the order of the last one. */
async function followJournal(heard: JournalHeard, { after, flags, ports }: Following): Promise<number> {
  const { token, calls, seconds } = flags;
  const time = systemTime();
  const ending = new AbortController();
  let reached = after;
  let leaving = false;
  const end = (): void => {
    if (leaving) return;
    leaving = true;
    time.alarm(SETTLE_MS, () => ending.abort());
  };
  ports.onEnd(end);
  const cancel = seconds === undefined ? undefined : time.alarm(seconds * 1000, end);
  const root = controlRoot(flags);
  const ended = await readEventStream(
    {
      url: `${root}/journal/stream?after=${after}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ca: await trustedAuthority(flags.ca),
      signal: ending.signal,
    },
    {
      event: (data) => {
        const entry = JSON.parse(data) as RecordedEntry;
        reached = entry.seq;
        heard.take(entry);
        tellCall(entry, ports);
        if (heard.isFull || (calls !== undefined && heard.ended >= calls)) end();
      },
      comment: (text) => {
        if (text.includes('no longer kept')) ports.tell(`The simulator was faster than this recording: ${text}.`);
      },
    },
  );
  cancel?.();
  ending.abort();
  if (ended.how !== 'ended') complain(ended, root, reached > after, ports);
  return reached;
}

/** A simulator that went away has left something to write, unless it was never there. */
function complain(ended: StreamEnd, root: string, heardSome: boolean, ports: RecordPorts): void {
  if (ended.how === 'refused') throw new Error(`${root}/journal/stream answered ${ended.status}: ${ended.text}`);
  if (ended.how !== 'broken') return;
  if (!heardSome) throw nobodyThere(root, ended.why);
  ports.tell(`The simulator has gone (${ended.why}): what was recorded until then is written.`);
}

/** What has come since the stream ended. */
async function readOn(control: ControlClient, heard: JournalHeard, after: number): Promise<void> {
  const { data } = await control.get<{ data: RecordedEntry[] }>('GET', `/journal?after=${after}&limit=10000`);
  for (const entry of data) heard.take(entry);
}

function tellCall({ kind, call_id: id, data }: RecordedEntry, { tell }: RecordPorts): void {
  if (kind === 'call.opened') tell(`call ${id}: ${String(data.src)} -> ${String(data.dst)}`);
  if (kind === 'call.closed') tell(`call ${id}: ${String(data.cause)}`);
}

async function rosterAt(control: ControlClient): Promise<Roster> {
  const records: unknown[] = [];
  const registered = new Set<string>();
  for (let customer = 1; customer <= MAX_CUSTOMERS; customer += 1) {
    const users = await control.ask('GET', `/records/users?customer_id=${customer}`);
    const found = users.status === 200 ? (users.body as { data: unknown[] }).data : [];
    if (found.length === 0) break;
    records.push(...found);
    const phones = await control.get<{ data: { ext: string; registered: boolean }[] }>(
      'GET',
      `/phones?customer_id=${customer}`,
    );
    for (const phone of phones.data) if (phone.registered) registered.add(`${customer} ${phone.ext}`);
  }
  return rosterOf(records, (customer, ext) => registered.has(`${customer} ${ext}`));
}

/** The records of the calls, as the API shows them to a user who may see all. */
async function historiesOf(ids: readonly number[], roster: Roster, flags: RecordFlags): Promise<Histories> {
  const histories = new Map<number, readonly Readonly<Record<string, unknown>>[]>();
  const asker = roster.named('first');
  if (asker?.key === undefined) return histories;
  const http = new HttpClient({ ca: await trustedAuthority(flags.ca) });
  const root = controlRoot(flags).replace(/\/_sim$/, '/v1.1/pbx');
  const authorization = `Basic ${Buffer.from(`${asker.id}:${asker.key}`).toString('base64')}`;
  try {
    for (const id of ids) {
      const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: id }]));
      const answer = await http.send({
        method: 'GET',
        url: `${root}/cdrs?filter=${filter}`,
        headers: { authorization },
      });
      if (answer.ok && answer.status === 200)
        histories.set(id, (JSON.parse(answer.text) as { data: Record<string, unknown>[] }).data);
    }
  } finally {
    await http.close();
  }
  return histories;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ControlTrouble)) throw error;
}

/** The scenario's id is the file's name. */
function idOf(file: string): string {
  if (!/\.ya?ml$/.test(file)) throw new UsageError(`${file}: expected a name that ends in .yaml.`);
  const id = basename(file)
    .replace(/\.ya?ml$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return id === '' ? 'recorded' : id;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
