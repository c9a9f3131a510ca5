// kill -9 under load, again and again on one file: nothing that was acknowledged is missing, nothing that was deleted is back, and what
// was heard and sent in calls is what it was when somebody asked for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../kernel/random.ts';
import { Ledger } from './ledger.ts';
import { Listener } from './listener.ts';
import { ServedFile } from './served-file.ts';

export interface KillPlan {
  readonly seed: number;
  readonly rounds: number;
  /** In each round the kill comes after so many answers, at least and less than. */
  readonly answers: readonly [number, number];
  /** Told of each round. */
  readonly onRound?: (round: number, acknowledged: number) => void;
}

export interface KillReport {
  /** Writes answered 2xx, over all rounds. */
  readonly acknowledged: number;
  /** Recorded calls of real phones whose sound and packets were shown. */
  readonly talks: number;
  /** One sentence for each thing that is otherwise than a client was told. */
  readonly wrong: readonly string[];
}

/** Connections that write at once, for each of the users who may write all that is written here. */
const CLIENTS_PER_USER = 3;
const WRITERS = ['root', 'admin'];
/** Places of the users who talk: the phones of the writers ring for the calls that these place. */
const TALKERS = [2, 3] as const;

export async function killNine(plan: KillPlan): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-kill-'));
  const path = join(folder, 'world.db');
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  try {
    return await rounds(plan, path, hook);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    rmSync(folder, { recursive: true });
  }
}

async function rounds(plan: KillPlan, path: string, hook: string): Promise<KillReport> {
  const random = new Random(plan.seed);
  const wrong: string[] = [];
  let served = await ServedFile.start(path);
  const users = served.ready.users.filter(({ customer_id, role }) => customer_id === 1 && WRITERS.includes(role));
  const ledgers = users.flatMap((user) =>
    Array.from({ length: CLIENTS_PER_USER }, (_, place) => {
      const own = random.split(`client ${user.user_id} ${place}`);
      return new Ledger(user, { random: own, hook, changesUser: place === 0 });
    }),
  );
  const listener = new Listener(served, TALKERS, random.split('listener'));
  const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
  for (let round = 1; round <= plan.rounds && wrong.length === 0; round += 1) {
    const [least, most] = plan.answers;
    let left = least + random.int(most - least);
    let kill = (): void => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    }).then(() => served.end('SIGKILL'));
    // The kill waits for the first talk, and comes at the next answer then.
    const talksBefore = listener.talks;
    const onAnswer = (): void => {
      left -= 1;
      if (left <= 0 && listener.talks + listener.refused.length > talksBefore) kill();
    };
    const writing = ledgers.map((ledger) => ledger.write(served, onAnswer));
    await Promise.all([killed, listener.listen(served, killed, onAnswer), ...writing]);
    served = await ServedFile.start(path);
    wrong.push(...listener.refused.splice(0), ...(await listener.check(served)));
    for (const ledger of ledgers) wrong.push(...ledger.refused.splice(0), ...(await ledger.check(served)));
    plan.onRound?.(round, acknowledged());
  }
  await served.end('SIGTERM');
  return { acknowledged: acknowledged(), talks: listener.talks, wrong };
}
