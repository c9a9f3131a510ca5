// The commands about events, trigger and listen: their flags. What they do is loaded when asked for.
import { type Command, Option } from 'commander';
import { controlOptions, stateDirOption } from './control-flags.ts';
import { count, duration, key, port } from './flags.ts';

export function addTrigger(program: Command): void {
  const trigger = program
    .command('trigger')
    .description(
      'make an event happen in a running simulator by real signalling, and print it; without an event: list them',
    )
    .argument('[event]', 'name of the event')
    .option('--from <number>', 'who calls or writes: a public number, or an extension')
    .option('--to <number>', 'who is called or written to: a number, or an extension')
    .option('--ext <extension>', 'the phone of ours that it is about')
    .option('--text <text>', 'what an SMS says')
    .addOption(new Option('--digit <key>', 'the key that is pressed: 0-9, *, #, A-D').argParser(key))
    .addOption(
      new Option('--after <duration>', 'how long it rings, talks or is held first, on the clock').argParser(duration),
    )
    .option('--keep', 'leave the call as it is then instead of ending it')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait for the event').default(15_000, '15s').argParser(duration),
    )
    .option('--json', 'print one line of JSON: {call_id, event}')
    .action(async (event: string | undefined, options) => (await import('./trigger.ts')).trigger(event, options));
  for (const option of controlOptions()) trigger.addOption(option);
}

export function addListen(program: Command): void {
  const listen = program
    .command('listen')
    .description('receive webhooks on loopback, print each event and check it; status 1 when one was wrong')
    .addOption(new Option('--port <number>', 'port to listen on, 0 for any free one').default(0).argParser(port))
    .option('--https', 'HTTPS, with a certificate of the local authority that pbxsim serve --https trusts')
    .addOption(stateDirOption())
    .option('--events <list>', 'categories of the webhook, with commas between (default: all of them)')
    .addOption(new Option('--count <number>', 'end after so many events').argParser(count))
    .option('--no-register', 'save no webhook at a simulator: configure the URL elsewhere')
    .addOption(
      new Option('--late <duration>', 'an event that arrives later than this is late')
        .default(10_000, '10s')
        .argParser(duration),
    )
    .option('--json', 'print lines of JSON: first {url, webhook_id}, then one for each event')
    .addHelpText(
      'after',
      '\nEnds on SIGINT or SIGTERM and takes its webhook away. Exit status: 0 all well, 1 an event broke a rule.',
    )
    .action(async (options) => (await import('./listen.ts')).listen(options));
  for (const option of controlOptions()) listen.addOption(option);
}
