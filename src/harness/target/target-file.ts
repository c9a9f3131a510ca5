// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// A target file: where a system is, and who the scenarios' users are there. Secrets come from the environment. Knows no traffic.
import type { Static } from 'typebox';
import { type Capability, capabilityNames } from '../../contract/clause.ts';
import { callStateCodes } from '../../contract/codes.ts';
import { anything, array, boolean, either, integer, string, word } from '../../contract/schema.ts';
import { misfits } from '../language/check-shape.ts';
import { USERS, type UserName } from '../language/document.ts';
import { type Problem, problemAt } from '../language/problem.ts';
import { closed, mapOf } from '../language/shapes.ts';
import { referencesIn, substitute } from '../language/templates.ts';
import { readYaml } from '../language/yaml-source.ts';
import { TOUCHES } from './what-it-takes.ts';

const url = string({ pattern: '^https?://[^\\s/]+(/\\S*)?$', description: 'an http: or https: URL' });
const address = string({ pattern: '^\\S+:\\d{1,5}$', description: 'host:port' });
const text = string({ minLength: 1 });

const user = closed(
  {
    id: integer({ minimum: 1 }),
    key: text,
    customer_id: integer({ minimum: 1 }),
    email: text,
    password: text,
    ext: string({ pattern: '^[0-9]{2,10}$', description: 'an extension, in quotes' }),
    number: string({ pattern: '^\\+[1-9][0-9]{4,14}$', description: 'E.164 with +, in quotes' }),
    sip: closed({ username: text, password: text }, ['username', 'password']),
  },
  ['id'],
  { description: 'a user with its id and key' },
);

const users = closed(Object.fromEntries(USERS.map((name) => [name, user])) as Record<UserName, typeof user>, ['first']);

const capabilities = closed(
  Object.fromEntries(capabilityNames.map((name) => [name, boolean()])) as Record<
    Capability,
    ReturnType<typeof boolean>
  >,
  [],
  { description: 'what the system has; scenarios that need what is false are unsupported' },
);

const presets = closed(
  {
    call_states: mapOf(
      either(integer(), string()),
      `^(${callStateCodes.words.join('|')})$`,
      'what state of a live call is shown as, by its word',
    ),
    restricted_may_not: array(string({ description: 'an operation id of the contract' }), {
      description: 'operations that the restricted user is denied; others it may or may not do',
    }),
    records: array(
      closed(
        {
          configure: string({ pattern: '^[a-z]+$', description: 'a resource id of the contract' }),
          id: either(integer(), text),
          set: mapOf(anything(), '^[a-z_0-9]+$', 'members and their values'),
        },
        ['configure', 'id', 'set'],
      ),
      { description: 'what is set already, where no configure step can: as such a step is written' },
    ),
  },
  [],
  { description: 'what is so at the system and cannot be set or read by its API' },
);

export const targetSchema = closed(
  {
    api_root: url,
    users,
    control: closed({ root: url, token: text }, ['root']),
    sip: closed(
      {
        domain: text,
        udp: address,
        tcp: address,
        ws: string({ pattern: '^wss?://', description: 'a ws: or wss: URL' }),
      },
      ['domain'],
    ),
    webhooks: closed({ listen: address, certificate: text, key: text }, ['listen'], {
      description:
        'where the harness listens for the webhooks that somebody has set up by hand: {listen: host:port}; by HTTPS with certificate and key, PEM files',
    }),
    capabilities,
    presets,
    absent: array(text, {
      description:
        'operations that the system has not, by operation id, published path or both (GET /faxes); their checks are unsupported',
    }),
    known: mapOf(
      array(either(integer(), text)),
      '^/[a-z/]+$',
      'ids of records that the API neither makes nor lists, by the path of their list: /mohs: [12]',
    ),
    allow: array(word(TOUCHES), {
      description: `what may be done to the system: ${TOUCHES.join(', ')}; read alone if not said, at a simulator or on this machine write, dial and spend, too`,
    }),
  },
  ['api_root', 'users'],
);
export type TargetDocument = Static<typeof targetSchema>;

export type TargetReading =
  | { readonly ok: true; readonly document: TargetDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a target file; `${env.NAME}` stands for a variable of the environment. */
export function readTargetFile(
  file: string,
  content: string,
  environment: Readonly<Record<string, string | undefined>>,
): TargetReading {
  const reading = readYaml(file, content);
  if (!reading.ok) return reading;
  const { source } = reading;
  const lookup = (name: string): string | undefined =>
    name.startsWith('env.') ? environment[name.slice('env.'.length)] : undefined;
  const value = substitute(source.value, lookup);
  const unset = referencesIn(value).map(({ path, name }) =>
    problemAt(source, path, `expected the variable ${name} to be set`),
  );
  if (unset.length > 0) return { ok: false, problems: unset };
  const wrong = misfits(targetSchema, value);
  if (wrong.length > 0) {
    return { ok: false, problems: wrong.map(({ path, message, part }) => problemAt(source, path, message, part)) };
  }
  const document = value as TargetDocument;
  const places = [
    { path: ['api_root'], root: document.api_root },
    { path: ['control', 'root'], root: document.control?.root },
  ];
  const unfit = places
    .filter(({ root }) => root !== undefined && !URL.canParse(root))
    .map(({ path, root }) => problemAt(source, path, `expected an http: or https: URL, found ${JSON.stringify(root)}`));
  return unfit.length > 0 ? { ok: false, problems: unfit } : { ok: true, document };
}

/** The published schema of target files, for editors; `${env.NAME}` may stand for any text. */
export function publishedTargetSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://pbxsim.test/scenarios/target.schema.json',
    title: 'pbxsim target file',
    ...targetSchema,
  };
}
