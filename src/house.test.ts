// The house rules as a test: who may import whom, what is banned where, how long things may be.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = dirname(fileURLToPath(import.meta.url));
const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;

/** Which folders of ours a folder may import; itself is always allowed. `file.ts` stands for single files. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  contract: [],
  sip: ['kernel'],
  faults: ['kernel'],
  store: ['kernel', 'contract'],
  media: ['kernel', 'contract'],
  report: ['kernel', 'contract'],
  pbx: ['kernel', 'contract', 'sip', 'store', 'media', 'faults'],
  phones: ['kernel', 'sip', 'media'],
  webhooks: ['kernel', 'contract', 'store', 'faults', 'pbx/events.ts'],
  api: ['kernel', 'contract', 'store', 'media', 'faults', 'pbx/face.ts', 'pbx/events.ts'],
  control: [
    'kernel',
    'contract',
    'store',
    'media',
    'faults',
    'pbx/face.ts',
    'pbx/events.ts',
    'phones',
    'webhooks',
    'traffic/ports.ts',
  ],
  traffic: ['kernel', 'contract', 'store', 'phones', 'pbx/face.ts'],
  past: ['kernel', 'contract', 'sip', 'store', 'pbx', 'phones', 'webhooks'],
  docs: ['kernel', 'contract'],
  durable: ['kernel', 'store', 'media', 'faults', 'phones', 'webhooks', 'pbx/kept-call.ts', 'world-state.ts'],
  wires: ['kernel', 'sip/flow.ts', 'webhooks/sender.ts', 'docs/assets.ts'],
  'departures.ts': ['pbx', 'phones', 'store', 'webhooks'],
  'world.ts': [
    'departures.ts',
    'durable',
    'world-state.ts',
    'kernel',
    'contract',
    'sip',
    'store',
    'media',
    'pbx',
    'phones',
    'past',
    'webhooks',
    'api',
    'control',
    'faults',
    'traffic',
  ],
  'world-state.ts': ['kernel', 'store', 'media', 'phones', 'webhooks', 'faults'],
  'simulator.ts': [
    'durable',
    'world.ts',
    'world-state.ts',
    'kernel',
    'contract',
    'sip',
    'store',
    'media',
    'pbx',
    'phones',
    'webhooks',
    'api',
    'control',
    'docs',
    'wires',
    'faults',
    'traffic',
  ],
  harness: ['kernel', 'contract', 'report', 'wires'],
  library: [
    'simulator.ts',
    'world-state.ts',
    'kernel',
    'contract',
    'store',
    'faults',
    'phones',
    'webhooks',
    'control',
    'traffic/ports.ts',
    'wires',
  ],
  'index.ts': [
    'library',
    'simulator.ts',
    'report',
    'wires',
    'kernel',
    'contract',
    'phones',
    'webhooks',
    'faults',
    'store',
    'traffic/ports.ts',
  ],
  'vitest.ts': ['index.ts'],
  cli: ['simulator.ts', 'harness', 'report', 'wires', 'kernel', 'contract'],
};
/** Tests across layers and benchmarks may import anything; nothing imports them. */
const unbounded = ['e2e', 'bench', 'soak'];
const bannedNames = /^(utils?|helpers?|common|misc|lib)(\.ts)?$/;

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly imports: readonly string[];
}

function sourceFiles(folder = src): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(full);
    if (!entry.name.endsWith('.ts')) return [];
    const path = relative(src, full);
    const text = readFileSync(full, 'utf8');
    const imports = [...text.matchAll(/(?:from\s+|import\s*\(\s*|^import\s+)'([^']+)'/gm)].map(
      (match) => match[1] ?? '',
    );
    return [{ path, folder: path.split('/')[0] ?? path, text, isTest: path.endsWith('.test.ts'), imports }];
  });
}

const files = sourceFiles();
/** Rigs are the tests' own furniture: they obey the import rules, and nothing but tests imports them. */
const isRig = (path: string): boolean => path.endsWith('.rig.ts');
const code = files.filter((file) => !file.isTest && !isRig(file.path) && !unbounded.includes(file.folder));

/** Source without comments and string contents, so that words in prose do not count. */
function bare(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

function offenders(among: readonly Source[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    bare(file.text)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

/** Lines from a function's head to its closing brace, for every function and method longer than the limit. */
function longFunctions(file: Source): string[] {
  const lines = bare(file.text).split('\n');
  const head =
    /^(\s*)(?:export\s+)?(?:async\s+)?(?:function\b.*|(?:(?:static|async|get|set|private|override|\*)\s+)*[#\w$]+\s*(?:<[^>]*>)?\(.*\).*|const\s+\w+.*=>\s*)\{\s*$/;
  return lines.flatMap((line, index) => {
    const match = head.exec(line);
    if (match === null || /^\s*(if|for|while|switch|catch|describe|it|return)\b/.test(line)) return [];
    const indent = match[1] ?? '';
    const end = lines.findIndex((other, at) => at > index && other.startsWith(`${indent}}`));
    const length = end - index + 1;
    return length > MAX_FUNCTION_LINES ? [`${file.path}:${index + 1}: ${length} lines`] : [];
  });
}

function importsOfOurs(file: Source): string[] {
  return file.imports
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(src, resolve(src, dirname(file.path), target)));
}

describe('the house', () => {
  it('finds the source it judges', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(Object.keys(allowed)).toContain('pbx');
  });

  it('imports only in the permitted directions', () => {
    const wrong = files
      .filter((file) => !unbounded.includes(file.folder) && file.path !== 'house.test.ts')
      .flatMap((file) =>
        importsOfOurs(file).flatMap((target) => {
          const folder = target.split('/')[0] ?? target;
          const may = [...(allowed[file.folder] ?? []), ...(file.path.startsWith('harness/peers/') ? ['media'] : [])];
          const fine = folder === file.folder || may.includes(folder) || may.includes(target);
          return fine ? [] : [`${file.path} imports ${target}`];
        }),
      );
    expect(wrong).toEqual([]);
  });

  it('leaves tests, end-to-end tests and benchmarks unimported', () => {
    const wrong = code.flatMap((file) =>
      importsOfOurs(file)
        .filter(
          (target) => target.endsWith('.test.ts') || isRig(target) || unbounded.includes(target.split('/')[0] ?? ''),
        )
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('touches the world only in wires/, api/server.ts and cli/', () => {
    const world = new Set(
      ['net', 'dgram', 'http', 'https', 'http2', 'fs', 'fs/promises', 'tls', 'child_process'].map(
        (name) => `node:${name}`,
      ),
    );
    const wrong = code
      .filter((file) => !['wires', 'cli'].includes(file.folder) && file.path !== 'api/server.ts')
      .flatMap((file) =>
        file.text
          .split('\n')
          .filter((line) => /^import (?!type)/.test(line))
          .flatMap((line) => [...line.matchAll(/'(node:[^']+)'/g)].map((match) => match[1] ?? ''))
          .filter((target) => world.has(target))
          .map((target) => `${file.path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
    expect(
      offenders(
        code.filter((file) => !['wires', 'cli'].includes(file.folder)),
        /process\.env\b/,
      ),
    ).toEqual([]);
  });

  it('reads clock and chance only in wires/', () => {
    const outside = code.filter((file) => file.folder !== 'wires');
    expect(
      offenders(
        outside,
        /Date\.now\(|new Date\(\)|Math\.random\(|\bsetTimeout\(|\bsetInterval\(|\bsetImmediate\(|performance\.now\(|randomBytes\(|randomUUID\(/,
      ),
    ).toEqual([]);
  });

  it('keeps the core free of promises', () => {
    const core = code.filter((file) =>
      ['kernel', 'contract', 'sip', 'pbx', 'phones', 'store', 'faults'].includes(file.folder),
    );
    expect(offenders(core, /\basync\b|\bawait\b|new Promise|\.then\(/)).toEqual([]);
  });

  it('keeps files and functions short', () => {
    const tooLong = files.flatMap((file) => {
      const lines = file.text.split('\n').length - 1;
      return lines > MAX_FILE_LINES ? [`${file.path}: ${lines} lines`] : [];
    });
    expect(tooLong).toEqual([]);
    expect(code.flatMap(longFunctions)).toEqual([]);
  });

  it('has no any, no default export, no barrel, no banned name', () => {
    expect(offenders(files, /[:<,|]\s*any\b(?!\w)|\bas any\b/)).toEqual([]);
    expect(offenders(files, /^export default\b/)).toEqual([]);
    expect(
      offenders(
        code.filter((file) => file.path !== 'index.ts'),
        /^export \* from/,
      ),
    ).toEqual([]);
    expect(
      files.map((file) => file.path).filter((path) => path.split('/').some((part) => bannedNames.test(part))),
    ).toEqual([]);
  });

  it('opens every file with a line that says what it is', () => {
    expect(files.filter((file) => !/^(\/\/|\/\*\*?) ?\S/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  it('has no file that nothing uses', () => {
    const used = new Set(files.flatMap(importsOfOurs));
    const entries = new Set(['index.ts', 'vitest.ts', 'cli/main.ts', 'wires/copy-docs.ts']);
    const dead = code.filter((file) => !used.has(file.path) && !entries.has(file.path)).map((file) => file.path);
    expect(dead).toEqual([]);
  });

  it('has a command that can be executed', () => {
    expect(statSync(join(src, '..', 'bin', 'pbxsim.js')).mode & 0o111).toBe(0o111);
  });

  it('keeps sip.js to the harness and the console', () => {
    const wrong = files
      .filter((file) => !file.path.startsWith('harness/peers/') && !['console', 'e2e'].includes(file.folder))
      .filter((file) => file.imports.some((target) => target === 'sip.js' || target.startsWith('sip.js/')))
      .map((file) => file.path);
    expect(wrong).toEqual([]);
  });
});
