// The commands about scenarios, run, lint and record: their flags. What they do is loaded when asked for.
import { type Command, Option } from 'commander';
import { authorityOption, controlOptions } from './control-flags.ts';
import { count, repeated } from './flags.ts';
import { targetOptions } from './target-options.ts';

const EXIT_STATUSES = `
Exit status: 0 all passed; 1 one failed; 2 a file is invalid or there is no scenario; 3 blocked or unevaluable;
5 the target cannot be reached or refuses the login; 6 the harness failed.`;

export function addRun(program: Command): void {
  const run = program
    .command('run')
    .description('run call scenarios, each against a fresh simulator in manual time or all against a target')
    .argument('<paths...>', 'scenario files or folders')
    .option('--target <file | api_root>', 'what to judge: a target file, or an API root together with --user')
    .addOption(
      new Option('--phones <driver>', 'sim: simulated phones, through the control API; sip: SIP phones in real time')
        .choices(['sim', 'sip'])
        .default('sim'),
    )
    .addOption(authorityOption())
    .option('--tags <list>', 'only scenarios with one of these tags, with commas between', (text) => text.split(','))
    .option('--only <id>', 'only this scenario; may be repeated', repeated)
    .option('--report <junit:file>', 'write a report; may be repeated', repeated)
    .option('--watch', 'run again whenever a file changes')
    .addHelpText('after', EXIT_STATUSES)
    .action(async (paths: string[], options) => (await import('./run.ts')).run(paths, options));
  for (const option of targetOptions()) run.addOption(option);
}

export function addLint(program: Command): void {
  program
    .command('lint')
    .description('check scenario files without running them; status 2 when one is wrong')
    .argument('<paths...>', 'scenario files or folders')
    .action(async (paths: string[]) => (await import('./lint.ts')).lint(paths));
}

export function addRecord(program: Command): void {
  const record = program
    .command('record')
    .description('write down what is done by hand at a running simulator, as a scenario that does it again')
    .argument('<file>', 'the scenario to write, .yaml')
    .addOption(new Option('--calls <number>', 'end after so many calls have ended').argParser(count))
    .addOption(new Option('--seconds <number>', 'end after so many seconds').argParser(count))
    .option('--force', 'write over a file that is there')
    .addHelpText('after', '\nEnds on SIGINT (Ctrl-C) or SIGTERM and writes the file then.')
    .action(async (file: string, options) => (await import('./record.ts')).record(file, options));
  for (const option of controlOptions()) record.addOption(option);
}
