// The commands about conformance: their flags. What they do is loaded when asked for.
import { type Command, Option } from 'commander';
import { authorityOption, stateDirOption } from './control-flags.ts';
import { day, patterns, repeated, shard } from './flags.ts';
import { targetOptions } from './target-options.ts';

const EXIT_STATUSES = `
Exit status: 0 conformant, with known deviations, or partial; 1 non-conformant; 2 usage or an invalid file; 3 incomplete;
4 a stale deviation; 5 the target cannot be reached or refuses the login; 6 the harness failed.`;

const DOCTOR_STATUSES = `
Exit status: 0 all is there; 2 usage or an invalid file; 3 something is missing or out of order, and what needs it cannot be
judged; 5 the target cannot be reached or refuses the login.`;

const CLEANUP_STATUSES = `
Exit status: 0 nothing is left; 1 something is left, and is named; 2 usage or an invalid file; 5 the target cannot be
reached or refuses the login.`;

const TARGET = 'a target file, or an API root such as http://127.0.0.1:8080/v1.1/pbx together with --user';

const REPORT = 'write a report: json, html, junit, text, sarif, tap, badge, github, summary or ndjson; may be repeated';

export function addConform(program: Command): void {
  const conform = targeted(
    program,
    'conform',
    'judge an implementation of the specification by what it does on the wire',
  )
    .option('--report <format:file>', REPORT, repeated)
    .option('--strict', 'an unmet SHOULD fails the run, too')
    .option('--deviations <file>', 'known deviations, which do not fail the run')
    .option(
      '--shard <i/n>',
      'the ith of n parts of the checks, each of which may be judged elsewhere; see merge',
      shard,
    )
    .option('--fail-fast', 'end at the first check that fails')
    .addOption(new Option('--seed <seed>', 'a number or a word; the same one makes the same choices').default('1'))
    .addHelpText('after', EXIT_STATUSES);
  chosen(conform).action(async (target: string, options) => (await import('./conform.ts')).conform(target, options));
}

export function addConformKin(program: Command): void {
  chosen(
    targeted(program, 'plan', 'show which checks conform would make, and which it could not, without judging'),
  ).action(async (target: string, options) => (await import('./conform-plan.ts')).showPlan(target, options));
  targeted(program, 'doctor', 'see whether a target is fit to be judged: address, credentials, clock, webhooks, SIP')
    .addHelpText('after', DOCTOR_STATUSES)
    .action(async (target: string, options) => (await import('./conform-doctor.ts')).doctor(target, options));
  targeted(program, 'cleanup', 'remove what a run that ended badly has left at a target')
    .addHelpText('after', CLEANUP_STATUSES)
    .action(async (target: string, options) => (await import('./conform-cleanup.ts')).cleanup(target, options));
  program
    .command('init')
    .description('write a target file with everything that it may say, to be filled in')
    .argument('[file]', 'the file', 'target.yaml')
    .option('--force', 'write over a file that is there')
    .action(async (file: string, options) => (await import('./conform-init.ts')).init(file, options));
  program
    .command('clauses')
    .alias('list')
    .description('list what the specification demands, each clause with its checks')
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => (await import('./clauses.ts')).listClauses(options));
  program
    .command('explain')
    .description('say all about one clause or check')
    .argument('<id>', 'id of a clause or of a check')
    .action(async (id: string) => (await import('./clauses.ts')).explainId(id));
}

/** What is done with runs that are over. */
export function addRuns(program: Command): void {
  program
    .command('diff')
    .description('compare two runs of conform; status 1 when something is worse in the second')
    .argument('<before>', 'what --report ndjson:FILE has written')
    .argument('<after>', 'the same of a later run')
    .action(async (before: string, after: string) => (await import('./conform-runs.ts')).diffRuns(before, after));
  program
    .command('merge')
    .description('put the parts of a run together (conform --shard) and write its reports')
    .argument('<runs...>', 'what --report ndjson:FILE has written')
    .option('--report <format:file>', REPORT, repeated)
    .action(async (files: string[], options) => (await import('./conform-runs.ts')).mergeRuns(files, options));
  program
    .command('deviations')
    .description('the file of known deviations')
    .command('update')
    .description('propose the edit that a run calls for: what passes goes, new failures come')
    .argument('<file>', 'the file, which need not be there yet')
    .requiredOption('--run <file>', 'what --report ndjson:FILE has written')
    .option('--expires <day>', 'until when new entries are taken (default: for 90 days)', day)
    .option('--write', 'write the file instead of showing it')
    .action(async (file: string, options) => (await import('./conform-runs.ts')).updateDeviations(file, options));
}

/** The proof of the judge itself. */
export function addMutants(program: Command): void {
  program
    .command('mutants')
    .description(
      'prove the judge: it has to find every deliberate deviation of a fresh simulator; prints the kill matrix',
    )
    .option('--all', 'all generated mutants, not one in twenty')
    .option('--only <part>', 'mutants with that text in their id; may be repeated', repeated)
    .option('--json <file>', 'write the kill matrix')
    .addOption(new Option('--seed <seed>', 'which of the generated ones are drawn').default('1'))
    .action(async (options) => (await import('./mutants.ts')).mutants(options));
}

function targeted(program: Command, name: string, description: string): Command {
  const command = program.command(name).description(description).argument('<target>', TARGET);
  for (const option of targetOptions()) command.addOption(option);
  return command.addOption(authorityOption()).addOption(stateDirOption());
}

function chosen(command: Command): Command {
  return command.option(
    '--only <patterns>',
    'checks, clauses, operations or areas, * for any text; commas between, may be repeated',
    patterns,
  );
}
