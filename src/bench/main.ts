// Runs every bench and prints one table of figures, ratios and aims: `npm run bench [-- --only NAME]`. A missed aim is no failure.
import { execFile } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { benches } from './benches.ts';
import { meetsAim, type Row } from './row.ts';

/** A bench that takes longer has failed. */
const LIMIT_MS = 60_000;
/** A day is long, and the memory of ten thousand calls is looked at thoroughly. */
const LONGER_MS: Readonly<Record<string, number>> = { day: 600_000, memory: 120_000 };
/** Calls of a day live longer than the small room for young objects lasts: with more of it few of them are copied. */
const FLAGS: Readonly<Record<string, readonly string[]>> = { day: ['--max-semi-space-size=64'] };

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean', default: false } } });
const names = values.only === undefined ? Object.keys(benches) : [values.only];

if (values.only !== undefined && !Object.hasOwn(benches, values.only)) {
  console.error(`There is no bench ${values.only}; there are ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else if (values.json) {
  console.log(JSON.stringify(await benches[values.only ?? '']?.()));
} else {
  await runAll();
}

async function runAll(): Promise<void> {
  const [cpu] = cpus();
  console.log(`Node ${process.version}, ${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'})`);
  console.log('Ratios are against a peer measured in the same run. Other work on the machine lowers every figure.\n');
  console.log(line(['bench', 'what', 'figure', 'ratio', 'aim', '']));
  for (const name of names) {
    const outcome = await run(name);
    if (Array.isArray(outcome)) for (const row of outcome) console.log(line(cellsOf(name, row)));
    else {
      console.log(line([name, `failed: ${outcome}`, '', '', '', '']));
      process.exitCode = 1;
    }
  }
}

/** Each bench has a process to itself: neither garbage nor compiled code of one is in the way of the next. */
async function run(name: string): Promise<Row[] | string> {
  const flags = ['--expose-gc', ...(FLAGS[name] ?? [])];
  const args = [...flags, fileURLToPath(import.meta.url), '--only', name, '--json'];
  const timeout = LONGER_MS[name] ?? LIMIT_MS;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout, killSignal: 'SIGKILL' });
    return JSON.parse(stdout) as Row[];
  } catch (error) {
    const { killed, stderr } = error as { killed?: boolean; stderr?: string };
    if (killed === true) return `not done after ${timeout / 1000} s`;
    return /^\w*Error.*$/m.exec(stderr ?? '')?.[0] ?? String(error);
  }
}

function cellsOf(name: string, row: Row): string[] {
  const { what, value, unit, ratio, aim } = row;
  const written = aim === undefined ? '' : `${aim.sense === 'at least' ? '>=' : '<='} ${figure(aim.figure)}`;
  return [
    name,
    what,
    `${figure(value)} ${unit}`,
    ratio === undefined ? '' : `${figure(ratio.value)} of ${ratio.peer}`,
    aim?.of === 'ratio' ? `ratio ${written}` : written,
    { true: 'met', false: 'missed', undefined: '' }[String(meetsAim(row))] ?? '',
  ];
}

function line(cells: readonly string[]): string {
  const widths = [9, 36, 22, 26, 14, 6];
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

function figure(value: number): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
