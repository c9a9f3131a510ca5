// The command line: its commands, flags and errors. What they do is in files of their own, loaded when asked for.
import { Command, CommanderError, Option } from 'commander';
import { controlOptions } from './control-flags.ts';
import { errorStatus, explain } from './errors.ts';
import { addListen, addTrigger } from './event-commands.ts';
import { clockMode, port, repeated, startTime } from './flags.ts';
import { addLint, addRun } from './scenario-commands.ts';

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

function flag(flags: string, description: string, name: string): Option {
  return new Option(flags, description).env(`PBXSIM_${name}`);
}

/** To commander a switch's variable turns it on whatever it says; people write 0 and false to turn things off. */
function toggle(flags: string, description: string, name: string): Option {
  const variable = `PBXSIM_${name}`;
  if (/^(0|false|no|off)?$/i.test(process.env[variable]?.trim() ?? '')) delete process.env[variable];
  return flag(flags, description, name);
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

function addServe(program: Command): void {
  program
    .command('serve')
    .description('start the simulator with its seed world: REST API, control API, SIP over UDP, TCP and WebSocket')
    .addOption(
      flag(
        '--host <address>',
        'numeric address to listen on; other than loopback needs an explicit --seed',
        'HOST',
      ).default('127.0.0.1'),
    )
    .addOption(flag('--port <number>', 'HTTP port, 0 for any free one', 'PORT').default(8080).argParser(port))
    .addOption(
      flag('--sip-port <number>', 'SIP port for UDP and TCP (WebSocket is 6 above), 0 for any free ones', 'SIP_PORT')
        .default(5060)
        .argParser(port),
    )
    .addOption(flag('--seed <number>', 'the same seed gives the same world and identifiers (default: 1)', 'SEED'))
    .addOption(
      flag(
        '--clock <mode>',
        'real: follows the system; manual: moves when POST /_sim/clock says so; fast: jumps to the next timer',
        'CLOCK',
      )
        .default('real')
        .argParser(clockMode),
    )
    .addOption(
      flag(
        '--start <time>',
        'where a manual or fast clock starts, ISO 8601 (default: 2026-01-01T00:00:00Z)',
        'START',
      ).argParser(startTime),
    )
    .addOption(toggle('--allow-http-webhooks', 'let webhooks go to http: URLs on loopback', 'ALLOW_HTTP_WEBHOOKS'))
    .addOption(
      flag(
        '--webhook-ca <file>',
        'PEM file of a further authority that webhook receivers may be signed by',
        'WEBHOOK_CA',
      ),
    )
    .addOption(flag('--journal <file>', 'append every journal entry to this file, one JSON object a line', 'JOURNAL'))
    .addOption(
      flag(
        '--control-token <token>',
        'what control requests must carry; made up when the address is not loopback',
        'CONTROL_TOKEN',
      ),
    )
    .addOption(
      toggle(
        '--check-invariants',
        "check the exchange's invariants as it runs and report what is broken",
        'CHECK_INVARIANTS',
      ),
    )
    .addOption(
      flag('--fault <json>', 'a fault as POST /_sim/faults takes it; may be repeated', 'FAULT').argParser(repeated),
    )
    .addOption(toggle('--json', 'print one line of JSON on stdout when ready, and nothing else', 'JSON'))
    .addHelpText(
      'after',
      '\nEvery flag has an environment variable: --sip-port is PBXSIM_SIP_PORT.\nEnds with status 0 on SIGTERM or SIGINT, calls hung up.',
    )
    .action(async (options) => (await import('./serve.ts')).serve(options));
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
