// The command serve: its flags, each also a variable of the environment. What it does is loaded when asked for.
import { type Command, Option } from 'commander';
import { stateDirOption } from './control-flags.ts';
import { clockMode, historySize, port, repeated, sessionExpires, startTime } from './flags.ts';

const AFTER = `
Every flag has an environment variable: --sip-port is PBXSIM_SIP_PORT.
Ends with status 0 on SIGTERM or SIGINT, calls hung up.`;

export function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('start the simulator with its seed world: REST API, control API, SIP over UDP, TCP, TLS and WebSocket')
    .addHelpText('after', AFTER)
    .action(async (options) => (await import('./serve.ts')).serve(options));
  const options = [...listeningFlags(), ...signallingFlags(), ...worldFlags(), ...webhookFlags(), ...watchingFlags()];
  for (const option of options) serve.addOption(option);
}

/** Where it listens, and who may come. */
function listeningFlags(): Option[] {
  return [
    flag(
      '--host <address>',
      'numeric address to listen on; other than loopback needs an explicit --seed',
      'HOST',
    ).default('127.0.0.1'),
    flag('--port <number>', 'port of the REST and the control API, 0 for any free one', 'PORT')
      .default(8080)
      .argParser(port),
    toggle(
      '--https',
      'HTTPS instead of HTTP on that port, with a certificate of a local authority, which clients have to trust',
      'HTTPS',
    ),
    stateDirOption(),
    flag(
      '--sip-port <number>',
      'SIP port for UDP and TCP (TLS is 1 above, WebSocket 6, secure WebSocket 7), 0 for any free ones',
      'SIP_PORT',
    )
      .default(5060)
      .argParser(port),
    flag(
      '--control-token <token>',
      'bearer token that control requests must carry; made up and shown when the address is not loopback',
      'CONTROL_TOKEN',
    ),
  ];
}

/** How the exchange speaks to phones. */
function signallingFlags(): Option[] {
  return [
    flag(
      '--session-expires <seconds>',
      'session timer that the exchange wants in every call (RFC 4028), 90 to 86400: a phone that is gone is noticed without media (default: only timers that phones want)',
      'SESSION_EXPIRES',
    ).argParser(sessionExpires),
    flag(
      '--digest <which>',
      'with what phones are asked for their password (RFC 8760); many know md5 alone, and some give up at both',
      'DIGEST',
    )
      .choices(['md5', 'sha-256', 'both'])
      .default('md5'),
  ];
}

/** What is there from the start, and at which time. */
function worldFlags(): Option[] {
  return [
    flag('--seed <seed>', 'a number or a word; the same one gives the same world and identifiers (default: 1)', 'SEED'),
    flag(
      '--clock <mode>',
      'real: follows the system; manual: moves when POST /_sim/clock says so; fast: jumps to the next timer',
      'CLOCK',
    )
      .default('real')
      .argParser(clockMode),
    flag(
      '--start <time>',
      'where a manual or fast clock starts, ISO 8601 (default: 2026-01-01T00:00:00Z)',
      'START',
    ).argParser(startTime),
    flag(
      '--history <count>',
      'past calls of the first account, up to 5000000 (default: 400, over the last year)',
      'HISTORY',
    ).argParser(historySize),
    flag(
      '--traffic <rate>',
      'a living company: calls and messages come by themselves, 30/min say; /s, /min or /h, up to 50/s',
      'TRAFFIC',
    ),
    flag('--data <file>', 'keep all state in this file: what was answered is there again after a restart', 'DATA'),
    flag('--fault <json>', 'a fault as POST /_sim/faults takes it; may be repeated', 'FAULT').argParser(repeated),
  ];
}

function webhookFlags(): Option[] {
  return [
    toggle('--allow-http-webhooks', 'let webhooks go to http: URLs on loopback', 'ALLOW_HTTP_WEBHOOKS'),
    flag(
      '--webhook-ca <file>',
      'PEM file of an authority to trust in webhook receivers, besides the usual ones',
      'WEBHOOK_CA',
    ),
  ];
}

/** What is told of it. */
function watchingFlags(): Option[] {
  return [
    flag(
      '--journal <file>',
      'append every journal entry to this file, one JSON object a line, as /_sim/journal shows it',
      'JOURNAL',
    ),
    toggle(
      '--check-invariants',
      "check the exchange's invariants as it runs and report what is broken",
      'CHECK_INVARIANTS',
    ),
    toggle('--json', 'print one line of JSON on stdout when ready, and nothing else', 'JSON'),
  ];
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
