// What flags and target file say of a target to be judged, and how it is reached. Knows no check.

import { problemText } from '../harness/language/problem.ts';
import { ControlClient } from '../harness/run/control-client.ts';
import { withKnownUsers } from '../harness/target/known-users.ts';
import { reachTarget } from '../harness/target/reach-target.ts';
import type { Target } from '../harness/target/target.ts';
import { readTargetFile, type TargetDocument } from '../harness/target/target-file.ts';
import { TOUCHES, type Touch } from '../harness/target/what-it-takes.ts';
import type { HttpClient } from '../wires/http-client.ts';
import { UsageError } from './errors.ts';
import { readGivenFile } from './given-file.ts';

export interface TargetFlags {
  /** `ID:KEY` each. */
  readonly user?: string;
  readonly secondUser?: string;
  readonly restrictedUser?: string;
  readonly otherCustomerUser?: string;
  readonly control?: string;
  readonly controlToken?: string;
  readonly allow?: readonly string[];
  readonly ca?: string;
  readonly stateDir?: string;
}

/** Rejects with `UsageError`. */
export async function targetDocumentOf(target: string, flags: TargetFlags): Promise<TargetDocument> {
  const users = {
    ...userFlag('first', '--user', flags.user),
    ...userFlag('second', '--second-user', flags.secondUser),
    ...userFlag('restricted', '--restricted-user', flags.restrictedUser),
    ...userFlag('other_customer', '--other-customer-user', flags.otherCustomerUser),
  };
  const beside = { ...controlOf(flags), ...allowOf(flags) };
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target))
      throw new UsageError(`${target} is no URL: expected one such as http://127.0.0.1:8080/v1.1/pbx.`);
    const { first } = users;
    if (first === undefined) throw new UsageError('An API root needs --user ID:KEY, a user id and a token or API key.');
    return { api_root: target, users: { ...users, first }, ...beside };
  }
  if (target === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(target))
    throw new UsageError(
      `'${target}' is no target: expected a target file, or an API root such as http://127.0.0.1:8080/v1.1/pbx.`,
    );
  const reading = readTargetFile(target, await readGivenFile(target, 'target'), process.env);
  if (!reading.ok) throw new UsageError(reading.problems.map(problemText).join('\n'));
  const { document } = reading;
  return { ...document, ...tokenFlag(document, flags), ...beside, users: { ...document.users, ...users } };
}

/** Reached, with the users that its control API knows. Rejects with `TargetRefused`. */
export async function reached(document: TargetDocument, http: HttpClient): Promise<Target> {
  const target = await reachTarget(document, http);
  return target.control === undefined ? target : withKnownUsers(target, new ControlClient(http, target.control));
}

function allowOf({ allow }: TargetFlags): Pick<TargetDocument, 'allow'> {
  const said = allow?.map((one) => one.trim());
  const unknown = said?.find((one) => !(TOUCHES as readonly string[]).includes(one));
  if (unknown !== undefined)
    throw new UsageError(`--allow '${unknown}': expected one or more of ${TOUCHES.join(', ')}, with commas between.`);
  return said === undefined ? {} : { allow: said as Touch[] };
}

function controlOf({ control, controlToken: token }: TargetFlags): Pick<TargetDocument, 'control'> {
  if (control === undefined) return {};
  if (!URL.canParse(control) || !/^https?:/i.test(control))
    throw new UsageError(`--control ${control} is no URL: expected one such as http://127.0.0.1:8080/_sim.`);
  return { control: { root: control, ...(token === undefined ? {} : { token }) } };
}

function tokenFlag({ control }: TargetDocument, { controlToken: token }: TargetFlags): Pick<TargetDocument, 'control'> {
  return control === undefined || token === undefined ? {} : { control: { ...control, token } };
}

type Users = Partial<TargetDocument['users']>;

function userFlag(name: keyof Users, flag: string, text: string | undefined): Users {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  const id = text.slice(0, colon);
  const key = text.slice(colon + 1);
  const expected = `${flag}: expected ID:KEY, a user id and a token or API key, such as 10000001:s3cret`;
  // What has no colon may be a key alone: it is not repeated.
  if (colon < 0) throw new UsageError(`${expected}, found no colon.`);
  if (!/^\d{1,15}$/.test(id) || Number(id) === 0)
    throw new UsageError(`${expected}; the part before the colon must be a number from 1, found "${id.slice(0, 40)}".`);
  if (key.trim() === '') throw new UsageError(`${expected}; nothing stands after the colon.`);
  return { [name]: { id: Number(id), key } };
}
