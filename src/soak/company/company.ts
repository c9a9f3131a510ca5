// A company in which something goes on all the time, for days: whether it takes more memory than its records do. Knows no kind of call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRESENT } from '../../durable/data-file.ts';
import { LIVE_CALLS } from '../../durable/rows.ts';
import { Simulator } from '../../simulator.ts';
import { storeNames } from '../../store/store.ts';
import { SqliteFile } from '../../wires/sqlite-file.ts';
import { growthOf, liveBytes, type Reading } from '../growth.ts';
import { RecordsSince } from '../records-since.ts';

export interface CompanyPlan {
  readonly seed: number;
  /** Calls to be made at least. */
  readonly calls: number;
  /** All is kept in a file, too. */
  readonly inFile: boolean;
  /** Told of each call when it begins. */
  readonly onCall?: () => void;
}

export interface CompanyReport {
  readonly calls: number;
  /** Days on the clock. */
  readonly days: number;
  /** Bytes that are in use when nobody is on the phone and no record is left, after so many calls. */
  readonly memory: readonly Reading[];
  /** What each call leaves behind of it. */
  readonly growthBytes: number;
  readonly problems: readonly string[];
}

const RATE = '600/min';
const STEP_MS = 10_000;
/** Everybody has hung up by then, and every timer of SIP has run out. */
const NIGHT_MS = 4 * 3_600_000;
/** Looks at what is in use, evenly over the calls, and how many of them are for warming up. */
const READINGS = 20;
const WARM = 4;
/** What is bounded by count is soon full: what then still grows has no bound. */
const REMEMBERED = { journalCapacity: 256, rememberedDialogs: 256 } as const;

export async function company(plan: CompanyPlan): Promise<CompanyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-company-'));
  try {
    return await new Company(plan, join(folder, 'company.db')).run();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class Company {
  readonly #plan: CompanyPlan;
  readonly #path: string;
  readonly #simulator: Simulator;
  readonly #records: RecordsSince;
  readonly #readings: Reading[] = [];
  readonly #problems: string[] = [];
  #calls = 0;

  constructor(plan: CompanyPlan, path: string) {
    this.#plan = plan;
    this.#path = path;
    const onDataTrouble = (error: Error): void => void this.#problems.push(error.message);
    const kept = plan.inFile ? { data: SqliteFile.open(path), onDataTrouble } : {};
    this.#simulator = new Simulator({ seed: plan.seed, history: 0, ...REMEMBERED, ...kept });
    this.#records = new RecordsSince(this.#simulator.world.store);
    this.#simulator.journal.subscribe(({ kind }) => {
      if (kind !== 'call.opened') return;
      this.#calls += 1;
      plan.onCall?.();
    });
  }

  async run(): Promise<CompanyReport> {
    const { clock, world } = this.#simulator;
    const startedAt = clock.now();
    try {
      world.traffic.setRate(RATE);
      while (this.#calls < this.#plan.calls) {
        clock.advanceTo(clock.now() + STEP_MS);
        await nextTurn();
        if (this.#calls >= (this.#plan.calls * (this.#readings.length + 1)) / READINGS) await this.#weigh();
      }
    } finally {
      await this.#simulator.close();
    }
    const days = (clock.now() - startedAt) / 86_400_000;
    const growthBytes = growthOf(this.#readings.slice(WARM));
    if (this.#plan.inFile) this.#lookIntoFile();
    return { calls: this.#calls, days, memory: this.#readings, growthBytes, problems: this.#problems };
  }

  /** What is gone from the store, or was never meant to stay, is gone from the file. */
  #lookIntoFile(): void {
    const { store, outbox } = this.#simulator.world;
    const file = SqliteFile.open(this.#path);
    const there: readonly (readonly [section: string, rows: number])[] = [
      ...storeNames.map((name) => [name, store[name].size] as const),
      ['mails', outbox.list().length],
      [LIVE_CALLS, 0],
    ];
    for (const [section, rows] of there) {
      const kept = file.count(PRESENT, section);
      if (kept !== rows) this.#problems.push(`the file has ${kept} rows of ${section}, and there are ${rows}`);
    }
    file.close();
  }

  async #weigh(): Promise<void> {
    const { clock, world, journal } = this.#simulator;
    world.traffic.setRate('off');
    clock.advanceTo(clock.now() + NIGHT_MS);
    for (const [name, count] of Object.entries(world.exchange.stats))
      if (count !== 0) this.#problems.push(`${count} ${name} at night, after ${this.#calls} calls`);
    this.#records.remove();
    for (const { customerId } of world.customers) world.traces.forgetCustomer(customerId);
    for (let count = 0; count < REMEMBERED.journalCapacity; count += 1) journal.append('company.weighed');
    this.#readings.push({ done: this.#calls, bytes: await liveBytes() });
    world.traffic.setRate(RATE);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
