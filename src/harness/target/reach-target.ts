// From what a target file or flags say to a target that answers: it is there, the first user may log in, and who the users are is known.
import { capabilityNames } from '../../contract/clause.ts';
import { callStateCodes } from '../../contract/codes.ts';
import { operationById, operations } from '../../contract/operations.ts';
import { openToRestricted } from '../../contract/restricted.ts';
import type { HttpClient } from '../../wires/http-client.ts';
import type { UserName } from '../language/document.ts';
import { valueAt } from '../matching.ts';
import { ControlClient, ControlTrouble } from '../run/control-client.ts';
import { credentialsOf, RestClient } from '../run/rest-client.ts';
import { factsOf } from './known-users.ts';
import { addressOf, type Target, type TargetUser } from './target.ts';
import type { TargetDocument } from './target-file.ts';
import { allowedAt } from './what-it-takes.ts';

/** The target cannot be reached, or refuses the first user: nothing can be judged. The message says which. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

/** Rejects with `TargetRefused`. */
export async function reachTarget(document: TargetDocument, http: HttpClient): Promise<Target> {
  const control = document.control === undefined ? undefined : new ControlClient(http, document.control);
  const time = control === undefined ? 'real' : await timeOf(control);
  const bare = targetOf(document, time);
  const rest = new RestClient(http, bare);
  await checkLogin(rest, bare);
  const users: Partial<Record<UserName, TargetUser>> = {};
  for (const [name, user] of Object.entries(bare.users)) {
    users[name as UserName] = { ...(await knownOf(user, { control, rest })), ...user };
  }
  return { ...bare, users };
}

function targetOf(document: TargetDocument, time: Target['time']): Target {
  const { api_root: apiRoot, users, control, sip, webhooks, allow } = document;
  return {
    name: apiRoot,
    apiRoot: apiRoot.replace(/\/$/, ''),
    users: Object.fromEntries(
      Object.entries(users).map(([name, { customer_id: customerId, key, ...user }]) => [
        name,
        { ...user, key: key ?? null, ...(customerId === undefined ? {} : { customerId }) },
      ]),
    ),
    ...(control === undefined ? {} : { control: { ...control, root: control.root.replace(/\/$/, '') } }),
    ...(sip === undefined ? {} : { sip }),
    ...(control !== undefined
      ? { webhooks: { how: 'control' as const } }
      : webhooks === undefined
        ? {}
        : { webhooks: { how: 'by_hand' as const, listen: addressOf(webhooks.listen) } }),
    time,
    fresh: false,
    ...factsBeside(document),
    allow: allowedAt({ said: allow, apiRoot, isSimulator: control !== undefined, isManual: time === 'manual' }),
  };
}

function factsBeside({ control, capabilities = {}, presets, known, absent }: TargetDocument): Partial<Target> {
  // Whoever has our control API is the simulator, whose numbers are known.
  const callStates = presets?.call_states ?? (control === undefined ? undefined : callStateCodes.codes);
  return {
    lacks: capabilityNames.filter((name) => capabilities[name] === false),
    presets: presets?.records ?? [],
    ...(known === undefined ? {} : { known }),
    ...(absent === undefined ? {} : { absent }),
    ...deniedBy(control, presets?.restricted_may_not),
    ...(callStates === undefined ? {} : { callStates }),
  };
}

/** Whoever has our control API is the simulator, of which it is known what a restricted user may not do. */
function deniedBy(control: TargetDocument['control'], said: readonly string[] | undefined): Pick<Target, 'denied'> {
  const simulated = operations.filter(({ id }) => !openToRestricted.has(id)).map(({ id }) => id);
  const denied = said ?? (control === undefined ? undefined : simulated);
  return denied === undefined ? {} : { denied };
}

async function timeOf(control: ControlClient): Promise<Target['time']> {
  try {
    return (await control.clock()).mode === 'manual' ? 'manual' : 'real';
  } catch (error) {
    throw error instanceof ControlTrouble ? new TargetRefused(withHint(error.message)) : error;
  }
}

async function checkLogin(rest: RestClient, target: Target): Promise<void> {
  const { first } = target.users;
  const as = first === undefined ? undefined : credentialsOf(first);
  if (as === undefined) throw new TargetRefused('The target gives no key of its first user.');
  const outcome = await rest.send({ operation: operationById('ping'), as });
  if (!outcome.ok) throw new TargetRefused(withHint(`${target.apiRoot} cannot be reached: ${outcome.error}.`));
  const { status } = outcome.answer;
  if (status === 401) throw new TargetRefused(`${target.apiRoot} refuses user ${as.id}: 401 to GET /ping.`);
  const { location } = outcome.answer.headers;
  const led = status >= 300 && status < 400 && location !== undefined ? `, a redirect to ${String(location)}` : '';
  // Who answers 5xx may well be the API, and out of order.
  const asked = status < 500 ? ': is that the API root, as in https://pbx.example/v1.1/pbx?' : '.';
  if (status !== 200)
    throw new TargetRefused(`${target.apiRoot} answers GET /ping with ${status} instead of 200${led}${asked}`);
}

function withHint(message: string): string {
  return message.includes('certificate not trusted') ? `${message} Name its authority with --ca.` : message;
}

/** What the target itself says of a user, by its control API or its REST API; what cannot be asked stays unknown. */
async function knownOf(
  user: TargetUser,
  { control, rest }: { readonly control: ControlClient | undefined; readonly rest: RestClient },
): Promise<Partial<TargetUser>> {
  if (control !== undefined) {
    const { status, body } = await control.ask('GET', `/records/users/${user.id}`);
    return status === 200 ? factsOf(body) : {};
  }
  const as = credentialsOf(user);
  if (as === undefined) return {};
  const outcome = await rest.send({ operation: operationById('getUser'), as, path: { id: user.id } });
  return outcome.ok && outcome.answer.status === 200 ? factsOf(valueAt(outcome.answer.body, '/data')) : {};
}
