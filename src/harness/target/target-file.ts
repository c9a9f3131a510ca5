// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// A target file: where a system is, and who the scenarios' users are there. Secrets come from the environment. Knows no traffic.
import type { Static } from 'typebox';
import { integer, string } from '../../contract/schema.ts';
import { misfits } from '../language/check-shape.ts';
import { USERS, type UserName } from '../language/document.ts';
import { type Problem, problemAt } from '../language/problem.ts';
import { closed } from '../language/shapes.ts';
import { referencesIn, substitute } from '../language/templates.ts';
import { readYaml } from '../language/yaml-source.ts';

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
    webhooks: closed({ listen: address }, ['listen'], {
      description: 'where the harness listens for the webhooks that somebody has set up by hand: {listen: host:port}',
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
  return { ok: true, document: value as TargetDocument };
}
