// The flags that name the control API of a simulator that runs already, and what is said when it is not there. Asks nobody.
import { Option } from 'commander';
import { UsageError } from './errors.ts';

export interface ControlFlags {
  /** Root of the control API. */
  readonly control: string;
  readonly token?: string;
  /** File of the authority to trust where that is HTTPS. */
  readonly ca?: string;
  /** Where the authority is kept that is trusted when no file is named; some commands alone have that flag. */
  readonly stateDir?: string;
}

export function controlOptions(): Option[] {
  return [
    new Option('--control <url>', 'control API of the running simulator')
      .env('PBXSIM_CONTROL')
      .default('http://127.0.0.1:8080/_sim'),
    new Option('--token <token>', 'token of that control API').env('PBXSIM_CONTROL_TOKEN'),
    authorityOption(),
  ];
}

export function stateDirOption(): Option {
  return new Option(
    '--state-dir <folder>',
    'where the local authority is kept, readable by you alone (default: ~/.local/state/pbxsim, or pbxsim in $XDG_STATE_HOME)',
  ).env('PBXSIM_STATE_DIR');
}

export function authorityOption(): Option {
  return new Option(
    '--ca <file>',
    "PEM file of the authority to trust for https: (default: the state directory's, where pbxsim serve --https made one)",
  ).env('PBXSIM_CA');
}

/** The root without a slash at its end. Throws `UsageError`. */
export function controlRoot({ control }: ControlFlags): string {
  if (!/^https?:\/\//i.test(control) || !URL.canParse(control))
    throw new UsageError(`--control ${control} is no URL: expected one such as http://127.0.0.1:8080/_sim.`);
  return control.replace(/\/+$/, '');
}

export function nobodyThere(url: string, why: string): Error {
  if (why.startsWith('certificate not trusted'))
    return new Error(`${new URL(url).origin}: ${why}. Name its authority with --ca, the ca_file of its ready line.`);
  return new Error(
    `No simulator answers at ${new URL(url).origin} (${why}): start one with pbxsim serve, or name it with --control.`,
  );
}

/** The message of an error that the control API itself gave. */
export function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
