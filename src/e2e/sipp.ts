// Runs SIPp, an independent SIP stack, as a child process with an end in sight, and tells what came of its calls. Knows no simulator.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SCENARIOS = fileURLToPath(new URL('../../fixtures/sipp/', import.meta.url));
const HOST = '127.0.0.1';
const TAIL_CHARACTERS = 4_000;

export type SippTransport = 'UDP' | 'TCP';

export interface SippPlan {
  /** A file of `fixtures/sipp`, without `.xml`. */
  readonly scenario: string;
  /** `host:port` that calls go to; a callee names the same though it waits. */
  readonly remote: string;
  readonly port: number;
  readonly transport: SippTransport;
  /** SIPp ends after so many calls. */
  readonly calls: number;
  /** New calls a second. Default 10; callees take what comes. */
  readonly rate?: number;
  /** Calls at a time. Default: as many as there are. */
  readonly limit?: number;
  /** `-d`: the time to talk, or for which an ended call still answers repeated requests. Default 0. */
  readonly pauseMs?: number;
  /** Of a hundred packets in each direction, so many are lost. */
  readonly lostPercent?: number;
  /** One row of fields a call, over and over. */
  readonly rows?: readonly (readonly string[])[];
  readonly keys?: Readonly<Record<string, string>>;
  /** SIPp's pattern for the Call-ID; `%u` is the number of the call. */
  readonly callId?: string;
  /** SIPp is ended after this time whatever it does. */
  readonly withinMs: number;
}

export interface SippReport {
  readonly scenario: string;
  readonly calls: number;
  readonly successful: number;
  /** Calls that SIPp gave up, and those that were not over in time. */
  readonly failed: number;
  /** Requests and responses that SIPp sent again. */
  readonly retransmissions: number;
  /** Calls a second, from the first call's start to the last one's end. */
  readonly callRate: number;
  readonly timedOut: boolean;
  readonly exitStatus: number | null;
  /** SIPp's own counters of why calls failed, those above zero. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The end of the last screen, and of the log of unexpected messages. */
  readonly output: string;
  readonly errors: string;
}

export interface SippProcess {
  /** Resolves when SIPp has its socket and takes calls. Rejects when it ended before. */
  ready(): Promise<void>;
  readonly ended: Promise<SippReport>;
  /** Ends it now; the report tells how far it came. */
  stop(): Promise<SippReport>;
}

/** Runs SIPp to its end. */
export function runSipp(plan: SippPlan): Promise<SippReport> {
  return startSipp(plan).ended;
}

export function startSipp(plan: SippPlan): SippProcess {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-sipp-'));
  const child = spawn('sipp', argumentsOf(plan, folder), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let timedOut = false;
  let isOver = false;
  const hear = (bytes: Buffer): void => {
    output = (output + bytes.toString('latin1')).slice(-TAIL_CHARACTERS);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const deadline = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, plan.withinMs);
  const exited = exitOf(child).finally(() => {
    clearTimeout(deadline);
    isOver = true;
  });
  const ended = exited
    .then((exitStatus) => reportOf(plan, { folder, output, timedOut, exitStatus }))
    .finally(() => rmSync(folder, { recursive: true, force: true }));
  // Whoever waits only for `ready` hears of it there.
  ended.catch(() => {});
  const ready = async (): Promise<void> => {
    while (!isOver && !isBound(plan)) await new Promise((resolve) => setTimeout(resolve, 5));
    if (isOver) throw new Error(`SIPp ended before it took calls: ${explained(await ended)}`);
  };
  const stop = (): Promise<SippReport> => {
    child.kill('SIGKILL');
    return ended;
  };
  return { ready, ended, stop };
}

/** A port number that is free for UDP and TCP now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const socket = createSocket('udp4').once('error', reject);
      socket.bind(0, HOST, () => {
        const { port: found } = socket.address();
        socket.close(() => resolve(found));
      });
    });
    if (await isFreeForTcp(port)) return port;
  }
}

/** The fields of a call, as `fixtures/sipp/README.md` lists them. */
export function callRow(
  user: { readonly sip_username: string; readonly sip_password: string; readonly ext: string },
  dialled = '',
  transferTo = '',
): readonly string[] {
  const authentication = `[authentication username=${user.sip_username} password=${user.sip_password}]`;
  return [user.sip_username, authentication, user.ext, dialled, transferTo];
}

/** For the message of an assertion: what went wrong, in SIPp's words. */
export function explained(report: SippReport): string {
  const { scenario, calls, successful, failed, timedOut, exitStatus, reasons, errors, output } = report;
  const why = Object.entries(reasons).map(([name, count]) => `${name} ${count}`);
  const head = `${scenario}: ${successful} of ${calls} calls successful, ${failed} failed (${why.join(', ') || 'no reason counted'})`;
  const end = timedOut ? 'ended by the deadline' : `exit status ${exitStatus}`;
  return failed === 0 ? head : `${head}; ${end}\n${errors === '' ? output : errors}`;
}

function argumentsOf(plan: SippPlan, folder: string): string[] {
  const { scenario, remote, port, transport, calls, rate = 10, limit, pauseMs = 0, lostPercent, rows } = plan;
  const fields = join(folder, 'fields.csv');
  if (rows !== undefined) writeFileSync(fields, ['SEQUENTIAL', ...rows.map((row) => row.join(';')), ''].join('\n'));
  const keys = Object.entries(plan.keys ?? {}).flatMap(([name, value]) => ['-key', name, value]);
  return [
    ...[remote, '-sf', join(SCENARIOS, `${scenario}.xml`)],
    ...['-t', transport === 'UDP' ? 'u1' : 't1', '-i', HOST, '-mi', HOST, '-ci', HOST, '-p', String(port)],
    ...['-m', String(calls), '-r', String(rate), '-l', String(limit ?? calls), '-d', String(pauseMs)],
    ...['-timeout', `${Math.ceil(plan.withinMs / 1000)}s`, '-timeout_error', '-nostdin'],
    ...['-trace_stat', '-stf', join(folder, 'statistics.csv'), '-fd', '1'],
    ...['-trace_err', '-error_file', join(folder, 'errors.log')],
    ...(lostPercent === undefined ? [] : ['-lost', String(lostPercent), '-max_invite_retrans', '6']),
    ...(rows === undefined ? [] : ['-inf', fields]),
    ...(plan.callId === undefined ? [] : ['-cid_str', plan.callId]),
    ...keys,
  ];
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`SIPp (package sip-tester) cannot be run: ${error.message}`)));
    child.once('close', (status) => resolve(status));
  });
}

interface Remains {
  readonly folder: string;
  readonly output: string;
  readonly timedOut: boolean;
  readonly exitStatus: number | null;
}

function reportOf(plan: SippPlan, { folder, output, timedOut, exitStatus }: Remains): SippReport {
  const counters = countersIn(textOf(join(folder, 'statistics.csv')));
  const successful = counters.get('SuccessfulCall') ?? 0;
  const reasons = [...counters].filter(([name, value]) => /^Failed(?!Call$)/.test(name) && value > 0);
  return {
    scenario: plan.scenario,
    calls: plan.calls,
    successful,
    // SIPp leaves out calls that it never came to, or that were under way when it was ended.
    failed: Math.max(counters.get('FailedCall') ?? 0, plan.calls - successful),
    retransmissions: counters.get('Retransmissions') ?? 0,
    callRate: counters.get('CallRate') ?? 0,
    timedOut,
    exitStatus,
    reasons: Object.fromEntries(reasons),
    output: output.slice(-TAIL_CHARACTERS),
    errors: textOf(join(folder, 'errors.log')).slice(0, TAIL_CHARACTERS),
  };
}

/** The last line of SIPp's statistics: its cumulative counters, without their `(C)`. */
function countersIn(statistics: string): Map<string, number> {
  const lines = statistics.trim().split('\n');
  const names = (lines[0] ?? '').split(';');
  const values = (lines.length > 1 ? (lines.at(-1) ?? '') : '').split(';');
  const cumulative = names.flatMap((name, at) =>
    name.endsWith('(C)') ? [[name.slice(0, -3), Number(values[at] ?? 0)] as const] : [],
  );
  return new Map(cumulative);
}

/** SIPp does not say when it is ready. The system's table of sockets does (SIPp's package is for Linux). */
function isBound({ port, transport }: SippPlan): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = textOf(transport === 'UDP' ? '/proc/net/udp' : '/proc/net/tcp').split('\n');
  return lines.some((line) => line.trim().split(/\s+/)[1]?.endsWith(local) === true);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function isFreeForTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
