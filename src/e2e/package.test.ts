// The package as others get it: what is in the tarball, what it says it needs, and an example project that installs and uses it.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'pbxsim-package-'));
const unpacked = join(folder, 'unpacked', 'package');
/** What the reference page is made of. */
const docs = 'dist/docs/assets/';
let tarball: string;
let packed: string[];

interface Manifest {
  readonly bin: Record<string, string>;
  readonly exports: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { optional?: boolean }>;
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** As from a shell of its own: nothing of the npm that runs these tests, nor of our own executables. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|TEST$|INIT_CWD|FORCE_COLOR)/i.test(name),
  );
  const path = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter), NO_COLOR: '1' };
}

async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env: environment(), maxBuffer: 2 ** 24 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}

/** A scenario as a user of the package writes it; the project checks its types. */
const typedScenario = `import { scenario } from 'pbxsim/scenario';

export const call = scenario({
  id: 'call',
  title: 'A call',
  requires: 'It rings',
  spec: ['Events'],
  phones: { anna: { user: 'first' }, ben: { user: 'second' } },
  steps: [
    { phone: 'anna', do: 'call', to: 'ben' },
    { phone: 'ben', is: 'ringing' },
  ],
});
`;

/** Asks an installed simulator for the largest file of its reference page. */
const asksForDocs = `
  import { createSimulator } from 'pbxsim';
  await using simulator = await createSimulator();
  const response = await fetch(new URL('/docs/swagger-ui-bundle.js', simulator.url));
  console.log(response.status, (await response.text()).includes('SwaggerUIBundle'));
`;

/** What README.md shows of the library. */
function readmeCode(): string {
  return /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
}

/** Built apart, so that neither an old dist/ nor somebody who builds at the same time has a part in it. */
beforeAll(async () => {
  const stage = join(folder, 'stage');
  mkdirSync(stage);
  for (const part of ['bin', 'scenarios', 'package.json', 'README.md', 'tsconfig.json', 'tsconfig.build.json', 'src'])
    cpSync(join(root, part), join(stage, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'));
  await run(stage, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  await run(stage, process.execPath, 'src/wires/copy-docs.ts', 'dist/docs/assets');
  await run(stage, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'none');
  mkdirSync(join(folder, 'unpacked'));
  await run(join(folder, 'unpacked'), 'tar', '-xzf', tarball);
  packed = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

describe('the tarball', () => {
  it('has the executable, the compiled code with its types, the scenarios, and nothing else', () => {
    const expected = /^(package\.json|README\.md|bin\/pbxsim\.js|dist\/.+\.(js|d\.ts)|scenarios\/.+\.(yaml|json|md))$/;
    expect(packed.filter((path) => !expected.test(path) && !path.startsWith(docs))).toEqual([]);
    const unwanted = /\.(test|rig)\.|\.map$|(^|\/)(e2e|bench|fixtures|src|node_modules)\/|^examples\//;
    expect(packed.filter((path) => unwanted.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining([
        'bin/pbxsim.js',
        'dist/cli/main.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/vitest.js',
        'dist/vitest.d.ts',
        'scenarios/schema.json',
      ]),
    );
  });

  it('has the files of the reference page with their licence, and stays below 2 MB', () => {
    const files = packed.filter((path) => path.startsWith(docs)).map((path) => path.slice(docs.length));
    expect(files.sort()).toEqual([
      'LICENSE.txt',
      'NOTICE.txt',
      'favicon-32x32.png',
      'index.html',
      'page.css',
      'page.js',
      'swagger-ui-bundle.js',
      'swagger-ui-bundle.js.LICENSE.txt',
      'swagger-ui.css',
    ]);
    expect(statSync(tarball).size).toBeLessThan(2_000_000);
  });

  it('has every file that its manifest names, with its types', () => {
    const named = [...Object.values(manifest.exports), ...Object.values(manifest.bin)];
    const files = named.map((path) => path.replace(/^\.\//, ''));
    const types = files.filter((path) => path.startsWith('dist/')).map((path) => path.replace(/\.js$/, '.d.ts'));
    expect([...files, ...types].filter((path) => !packed.includes(path))).toEqual([]);
    expect(types.length).toBe(4);
  });

  it('imports only what it says it needs; Vitest is needed by its fixture alone, and may be absent', () => {
    const importers = new Map<string, string[]>();
    for (const path of packed.filter((one) => one.endsWith('.js') && !one.startsWith(docs))) {
      for (const [, name = ''] of readFileSync(join(unpacked, path), 'utf8').matchAll(
        /(?:^import\s+|^(?:import|export)\s[^;]*?\sfrom\s+|import\(\s*)['"]([^.'"][^'"]*)['"]/gm,
      )) {
        const owner = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
        importers.set(owner, [...(importers.get(owner) ?? []), path]);
      }
    }
    const foreign = [...importers.keys()].filter(
      (name) => !name.startsWith('node:') && !builtinModules.includes(name) && !(name in manifest.dependencies),
    );
    expect(importers.get('express')).toContain('dist/control/control.js');
    expect(foreign).toEqual(['vitest']);
    expect(importers.get('vitest')).toEqual(['dist/vitest.js']);
    expect(Object.keys(manifest.peerDependencies)).toEqual(['vitest']);
    expect(manifest.peerDependenciesMeta).toEqual({ vitest: { optional: true } });
  });

  it('keeps what is internal out of its types', () => {
    const types = readFileSync(join(unpacked, 'dist/library/capture.d.ts'), 'utf8');
    expect(types).toContain('waitFor(');
    expect(types).not.toContain('@internal');
    expect(types).not.toMatch(/constructor|opened|receive\b/);
  });
});

describe('the example project', () => {
  it('installs the tarball beside a Node of its own, checks its types against it, and its tests and those of the README pass', async () => {
    const project = join(folder, 'example');
    cpSync(join(root, 'examples', 'vitest'), project, { recursive: true });
    writeFileSync(join(project, 'test', 'readme.test.ts'), readmeCode());
    writeFileSync(join(project, 'test', 'call.scenario.ts'), typedScenario);
    await run(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--no-save', tarball);
    const version = await run(project, 'npm', 'exec', '--', 'node', '--version');
    expect(version.trim()).toMatch(/^v24\./);
    const output = await run(project, 'npm', 'test');
    expect(output).toMatch(/Test Files\s+.*4 passed/);
    expect(output).toMatch(/Tests\s+.*10 passed/);
    expect(await run(project, 'npm', 'exec', '--', 'node', '--input-type=module', '-e', asksForDocs)).toBe(
      '200 true\n',
    );
    expect(await run(project, 'npm', 'exec', '--', 'pbxsim', '--version')).toBe('0.1.0\n');
    expect(await run(project, 'npm', 'exec', '--', 'pbxsim', 'run', 'test/call.scenario.ts')).toBe(
      '1 passed (fresh simulator, phones: sim)\n',
    );
  }, 120_000);
});
