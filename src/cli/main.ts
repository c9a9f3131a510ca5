// The command line: its commands and errors. What they do is in files of their own, loaded when asked for.
import { Command, CommanderError } from 'commander';
import { addConform, addConformKin, addMutants, addRuns } from './conform-commands.ts';
import { controlOptions } from './control-flags.ts';
import { errorStatus, explain } from './errors.ts';
import { addListen, addTrigger } from './event-commands.ts';
import { addLint, addRecord, addRun } from './scenario-commands.ts';
import { addServe } from './serve-command.ts';

const VERSION = '0.1.0';

function makeProgram(): Command {
  const program = new Command('pbxsim')
    .description(
      'A telephone exchange in a box: SIP phones and the REST API of a hosted telephone system show the same calls.',
    )
    .version(VERSION)
    .showHelpAfterError('(add --help for what is possible)')
    .exitOverride();
  addServe(program);
  addRun(program);
  addLint(program);
  addRecord(program);
  addConform(program);
  addConformKin(program);
  addRuns(program);
  addMutants(program);
  addLadder(program);
  addTrigger(program);
  addListen(program);
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the REST API, webhooks included')
    .option('--server <url>', 'where the service that the document describes listens, without a path')
    .action(async (options: { server?: string }) => (await import('./openapi.ts')).printOpenApi(options));
  return program;
}

function addLadder(program: Command): void {
  const ladder = program
    .command('ladder')
    .description('print who said what to whom in a call: SIP, REST requests and webhooks side by side')
    .argument('<call>', 'id of the call: call_id of its events, live_id of its CDR')
    .option('--json', 'print it as JSON')
    .action(async (call: string, options) => (await import('./ladder.ts')).printLadder(call, options));
  for (const option of controlOptions()) ladder.addOption(option);
}

// Whoever reads our output may have had enough of it, as in `pbxsim openapi | head`: no reason to complain, nor for a server to end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  console.error(explain(error));
  process.exitCode = errorStatus(error);
});
try {
  await makeProgram().parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError)) console.error(explain(error));
  process.exitCode = errorStatus(error);
}
