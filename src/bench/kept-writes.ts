// What keeping state in a file costs: POST and GET of call labels with --data against the same without. Run alone: `node src/bench/kept-writes.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Simulator } from '../simulator.ts';
import { SqliteFile } from '../wires/sqlite-file.ts';
import { rate } from './api.ts';

/** Of one kind of request. */
interface Figures {
  readonly perSecond: number;
  /** Processor time of the server's thread for one request, microseconds. */
  readonly cpuUs: number;
}

export interface KeptWritesFigures {
  readonly writes: { readonly kept: Figures; readonly memory: Figures };
  readonly reads: { readonly kept: Figures; readonly memory: Figures };
}

const CONNECTIONS = 16;
const ROUNDS = 5;
const BODY = '{"name":"Urgent"}';

/** The best of some rounds, the two in turn. An account has 10,000 labels at most. */
export async function keptWrites(requests = 1_800): Promise<KeptWritesFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-bench-'));
  const data = SqliteFile.open(join(folder, 'world.db'));
  const kept = await served(new Simulator({ clock: 'real', data }));
  const memory = await served(new Simulator({ clock: 'real' }));
  const none: Figures = { perSecond: 0, cpuUs: Number.POSITIVE_INFINITY };
  const writes = { kept: none, memory: none };
  const reads = { kept: none, memory: none };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, one] of [['memory', memory] as const, ['kept', kept] as const]) {
      writes[name] = better(writes[name], await measure(one.port, one.request('POST', BODY), requests));
      reads[name] = better(reads[name], await measure(one.port, one.request('GET'), requests));
    }
  }
  await Promise.all([kept.simulator.close(), memory.simulator.close()]);
  rmSync(folder, { recursive: true });
  return { writes, reads };
}

async function served(simulator: Simulator) {
  const port = Number(new URL(await simulator.listenHttp(0)).port);
  const [user] = simulator.world.customers[0]?.users ?? [];
  if (user === undefined) throw new Error('the seed world has a user');
  const request = (method: 'GET' | 'POST', body = ''): string =>
    [
      `${method} /v1.1/pbx/calllabels${method === 'GET' ? '/10000001' : ''} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Basic ${btoa(`${user.user_id}:${user.api_key}`)}`,
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      '',
      body,
    ].join('\r\n');
  return { simulator, port, request };
}

async function measure(port: number, request: string, requests: number): Promise<Figures> {
  const before = process.threadCpuUsage();
  const perSecond = await rate({ port, request, requests, connections: CONNECTIONS });
  const { user, system } = process.threadCpuUsage(before);
  return { perSecond, cpuUs: (user + system) / requests };
}

function better(one: Figures, other: Figures): Figures {
  return { perSecond: Math.max(one.perSecond, other.perSecond), cpuUs: Math.min(one.cpuUs, other.cpuUs) };
}

if (import.meta.main) {
  for (const [what, { kept, memory }] of Object.entries(await keptWrites()))
    console.log(
      `${what}: ${Math.round(kept.perSecond)}/s with a file, ${Math.round(memory.perSecond)}/s without; processor time ${kept.cpuUs.toFixed(0)} us, ${memory.cpuUs.toFixed(0)} us, ${(memory.cpuUs / kept.cpuUs).toFixed(2)} of the speed`,
    );
}
