// What a shape cannot say of a step: names that exist, operations and statuses of the contract, an order that is one. Knows no traffic.

import { collectionParameters } from '../../contract/filter.ts';
import type { Operation } from '../../contract/operation.ts';
import { operationById, operations } from '../../contract/operations.ts';
import { parseDuration } from '../../kernel/time.ts';
import type { DriverName } from '../drivers/phone-driver.ts';
import { matcherProblem } from '../matching.ts';
import { misfits, unknownWord } from './check-shape.ts';
import {
  type ActStep,
  type ActWord,
  type ConductStep,
  type EventsStep,
  type LiveCallStep,
  type RestStep,
  type SipStep,
  USERS,
  type WaitStep,
} from './document.ts';
import { readOrder } from './event-order.ts';
import { faultFlaw } from './fault-step.ts';
import type { PhonePlan, PlannedStep, WebhookPlan } from './plan.ts';
import type { Path } from './problem.ts';
import { referencesIn } from './templates.ts';

/** What is known where a step stands. */
export interface Known {
  readonly phones: ReadonlyMap<string, PhonePlan>;
  readonly webhooks: ReadonlyMap<string, WebhookPlan>;
  readonly drivers: readonly DriverName[];
  /** Names captured by the steps before. */
  readonly captured: ReadonlySet<string>;
  /** Every step could be read, so that all captures are known. */
  readonly isWhole: boolean;
}

export interface Flaw {
  /** From the step. */
  readonly path: Path;
  readonly message: string;
  readonly part?: 'key';
}

/** Longer waits are for time that can be moved: a real target would keep everybody waiting. */
export const LONGEST_REAL_WAIT_MS = 60_000;

export const PHONE_FACTS = ['number', 'ext', 'user_id', 'customer_id'] as const;
export const USER_FACTS = ['id', 'key', 'email', 'password', 'ext', 'number', 'customer_id'] as const;

const flaw = (path: Path, message: string): Flaw => ({ path, message });

/** Everything that is wrong with a step whose shape is right. */
export function flawsOf({ kind, step }: PlannedStep, known: Known): Flaw[] {
  const flaws = referenceFlaws(step, known);
  const phone = 'phone' in step ? step.phone : kind === 'sip' ? step.sip : undefined;
  if (phone !== undefined && !known.phones.has(phone)) {
    flaws.push(flaw([kind === 'sip' ? 'sip' : 'phone'], unknownPhone(phone, known)));
  }
  if ('expect' in step && step.expect !== undefined && kind !== 'rest') {
    flaws.push(...matcherFlaws(step.expect, ['expect']));
  }
  switch (kind) {
    case 'do':
      return [...flaws, ...actFlaws(step, known)];
    case 'rest':
      return [...flaws, ...restFlaws(step)];
    case 'live_call':
      return [...flaws, ...liveCallFlaws(step, known)];
    case 'sip':
      return [...flaws, ...sipFlaws(step)];
    case 'events':
      return [...flaws, ...eventFlaws(step, known)];
    case 'wait':
      return [...flaws, ...waitFlaws(step, known)];
    case 'when_called':
      return [...flaws, ...conductFlaws(step, known)];
    case 'fault': {
      const why = faultFlaw(step);
      return why === undefined ? flaws : [...flaws, flaw([], why)];
    }
    default:
      return flaws;
  }
}

/** Names that a step makes known to those after it. */
export function capturesOf(planned: PlannedStep): string[] {
  if (planned.kind === 'parallel') return planned.branches.flat().flatMap(capturesOf);
  const { step } = planned;
  if (planned.kind === 'do') return planned.step.capture === undefined ? [] : [planned.step.capture.call_id];
  return 'capture' in step && step.capture !== undefined ? Object.keys(step.capture) : [];
}

function referenceFlaws(step: object, known: Known): Flaw[] {
  return referencesIn(step).flatMap(({ path, name }) => {
    const [owner = '', fact, ...more] = name.split('.');
    if (fact === undefined && known.captured.has(owner)) return [];
    const facts = known.phones.has(owner) ? PHONE_FACTS : USERS.some((user) => user === owner) ? USER_FACTS : undefined;
    if (facts === undefined && fact === undefined && !known.isWhole) return [];
    if (facts === undefined) {
      const why = fact === undefined ? `nothing is captured as ${name} before this step` : `unknown: ${name}`;
      return [flaw(path, `${why}, expected a captured name${listed([...known.captured])}, or a fact such as first.id`)];
    }
    if (more.length === 0 && facts.some((one) => one === fact)) return [];
    return [flaw(path, `unknown: ${name}, expected ${facts.map((one) => `${owner}.${one}`).join(', ')}`)];
  });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

function unknownPhone(name: string, known: Known): string {
  const phones = [...known.phones.keys()];
  return phones.length === 0 ? `unknown: ${name}, the scenario has no phones` : unknownWord(name, phones);
}

interface Needs {
  readonly needs?: 'to' | 'digits';
  readonly takes?: readonly string[];
  readonly who?: 'user' | 'outside';
}

const ACT_RULES: Readonly<Record<ActWord, Needs>> = {
  call: { needs: 'to', takes: ['to', 'capture', 'offer'] },
  answer: {},
  reject: {},
  hold: { takes: ['by'] },
  resume: { takes: ['by'] },
  transfer: { needs: 'to', takes: ['to'] },
  join: { who: 'user' },
  digits: { needs: 'digits', takes: ['digits'] },
  hang_up: {},
  register: { who: 'user', takes: ['expires'] },
  unregister: { who: 'user' },
  vanish: { who: 'user' },
  text: { needs: 'to', takes: ['to', 'message'], who: 'outside' },
};

function actFlaws(step: ActStep, known: Known): Flaw[] {
  const { needs, takes = [], who } = ACT_RULES[step.do];
  const flaws: Flaw[] = [];
  if (needs !== undefined && step[needs] === undefined)
    flaws.push(flaw([], `expected a member ${needs}: ${step.do} needs it`));
  if (step.do === 'text' && step.message === undefined)
    flaws.push(flaw([], 'expected a member message: text needs it'));
  for (const name of ['to', 'digits', 'message', 'capture', 'offer', 'by', 'expires'] as const) {
    if (step[name] !== undefined && !takes.includes(name)) {
      flaws.push({ path: [name], part: 'key', message: `expected no ${name}: ${step.do} does not take it` });
    }
  }
  // What the SIP library behind the other driver cannot be told to do.
  for (const name of ['by', 'expires'] as const) {
    if (step[name] !== undefined && known.drivers.includes('sip'))
      flaws.push(flaw([name], `expected drivers: [sim] with drivers_reason for ${name}`));
  }
  const line = known.phones.get(step.phone)?.line;
  const isUser = line !== undefined && 'user' in line;
  if (line !== undefined && who !== undefined && (who === 'user') !== isUser) {
    const expected = who === 'user' ? 'the phone of a user' : 'somebody outside';
    flaws.push(flaw(['do'], `expected ${expected} to ${step.do}, and ${step.phone} is not`));
  }
  const { to } = step;
  if (to !== undefined && /^[a-z]/.test(to) && !known.phones.has(to)) flaws.push(flaw(['to'], unknownPhone(to, known)));
  return flaws;
}

function conductFlaws({ when_called: when }: ConductStep, known: Known): Flaw[] {
  const { on_call: onCall, to } = typeof when === 'string' ? { on_call: when } : when;
  if ((onCall === 'redirect') !== (to !== undefined))
    return [flaw(['when_called'], onCall === 'redirect' ? 'expected to: redirect needs it' : 'expected no to')];
  if (to !== undefined && /^[a-z]/.test(to) && !known.phones.has(to))
    return [flaw(['when_called', 'to'], unknownPhone(to, known))];
  return [];
}

function restFlaws(step: RestStep): Flaw[] {
  const operation = operationById(step.rest);
  if (operation === undefined) {
    return [
      flaw(
        ['rest'],
        `${unknownWord(
          step.rest,
          operations.map(({ id }) => id),
        )}: an operation id of the contract`,
      ),
    ];
  }
  return [
    ...requestFlaws(step, operation),
    ...statusFlaws(step, operation),
    ...(step.expect?.body === undefined ? [] : matcherFlaws(step.expect.body, ['expect', 'body'])),
    ...(step.expect?.headers === undefined ? [] : matcherFlaws(step.expect.headers, ['expect', 'headers'])),
  ];
}

function requestFlaws(step: RestStep, operation: Operation): Flaw[] {
  const { id, parameters, body } = operation;
  const names = parameters.path.map(({ name }) => name);
  const given = Object.keys(step.path ?? {});
  const missing = names.filter((name) => !given.includes(name));
  const queries = [
    ...(parameters.query === 'collection' ? collectionParameters.map(({ name }) => name) : []),
    ...parameters.named.map(({ name }) => name),
  ];
  return [
    ...missing.map((name) => flaw([], `expected path: {${name}: ...}: ${operation.path} needs it`)),
    ...given.filter((name) => !names.includes(name)).map((name) => strange(['path', name], name, names, id)),
    ...Object.keys(step.query ?? {})
      .filter((name) => !queries.includes(name))
      .map((name) => strange(['query', name], name, queries, id)),
    ...(step.body !== undefined && body === undefined ? [flaw(['body'], `expected no body: ${id} takes none`)] : []),
    ...bodyFlaws(step, operation),
  ];
}

function strange(path: Path, name: string, known: readonly string[], id: string): Flaw {
  const expected = known.length === 0 ? `${id} takes none` : `expected ${known.join(', ')}`;
  return { path, part: 'key', message: `unknown: ${name}, ${expected}` };
}

/** A body that should be accepted and holds no reference can be checked now. */
function bodyFlaws(step: RestStep, { body }: Operation): Flaw[] {
  const statuses = statusesOf(step);
  if (body === undefined || statuses.some((status) => status >= 400) || referencesIn(step.body).length > 0) return [];
  if (step.body === undefined) return [];
  return misfits(body.schema, step.body).map(({ path, message }) => flaw(['body', ...path], message));
}

function statusFlaws(step: RestStep, operation: Operation): Flaw[] {
  const { success, listed: errors, general, chosen } = operation;
  const known = [...success, ...errors, ...general, ...chosen];
  return statusesOf(step)
    .filter((status) => !known.includes(status))
    .map((status) =>
      flaw(['expect', 'status'], `${operation.id} never answers ${status}, expected one of ${known.join(', ')}`),
    );
}

/** The statuses that a step expects; empty: any success. */
export function statusesOf(step: RestStep): number[] {
  return step.expect?.status === undefined ? [] : [step.expect.status].flat();
}

function matcherFlaws(expected: Readonly<Record<string, unknown>>, path: Path): Flaw[] {
  return Object.entries(expected).flatMap(([pointer, wanted]) => {
    const problem = matcherProblem(wanted);
    return problem === undefined ? [] : [flaw([...path, pointer], problem)];
  });
}

function liveCallFlaws(step: LiveCallStep, known: Known): Flaw[] {
  const pair = typeof step.live_call === 'string' ? [] : step.live_call;
  const flaws = pair.flatMap((name, index) =>
    known.phones.has(name) ? [] : [flaw(['live_call', index], unknownPhone(name, known))],
  );
  const states = step.state === undefined ? [] : [step.state].flat();
  if (states.includes('gone') && (states.length > 1 || step.expect !== undefined || step.capture !== undefined)) {
    flaws.push(flaw(['state'], 'expected gone alone: a call that is gone has no members'));
  }
  return flaws;
}

function sipFlaws(step: SipStep): Flaw[] {
  const flaws: Flaw[] = [];
  if ((step.sent === undefined) === (step.received === undefined))
    flaws.push(flaw([], 'expected either sent or received'));
  if (step.count === 0 && step.quiet === undefined) {
    flaws.push(flaw(['count'], 'expected quiet: a duration beside it, for how long nothing must come'));
  }
  if (step.headers !== undefined) flaws.push(...matcherFlaws(step.headers, ['headers']));
  const problem = matcherProblem(step.body);
  return problem === undefined ? flaws : [...flaws, flaw(['body'], problem)];
}

function eventFlaws(step: EventsStep, known: Known): Flaw[] {
  const names = Object.keys(step.events);
  const flaws = webhookFlaws(step, known);
  if (step.order !== undefined) {
    const order = readOrder(step.order, names);
    if (!order.ok) flaws.push(flaw(['order'], order.why));
  }
  if (step.until !== undefined && !names.includes(step.until))
    flaws.push(flaw(['until'], unknownWord(step.until, names)));
  const bounded = step.until !== undefined || step.quiet !== undefined;
  if (!bounded && (step.others !== 'allow' || step.none !== undefined || step.repeats === 'fail')) {
    flaws.push(flaw([], 'expected until (the last of the events) or quiet (a duration): absence needs an end'));
  }
  for (const [name, expected] of Object.entries(step.events)) {
    if (typeof expected === 'string') continue;
    if (expected.where !== undefined) flaws.push(...matcherFlaws(expected.where, ['events', name, 'where']));
    if (expected.with !== undefined) flaws.push(...matcherFlaws(expected.with, ['events', name, 'with']));
  }
  for (const [name, target] of Object.entries(step.capture ?? {})) {
    const [event = ''] = target.split('/');
    if (!names.includes(event)) flaws.push(flaw(['capture', name], unknownWord(event, names)));
  }
  return flaws;
}

function webhookFlaws(step: EventsStep, known: Known): Flaw[] {
  const webhooks = [...known.webhooks.keys()];
  if (webhooks.length === 0) return [flaw(['events'], 'expected webhooks in the scenario: events come to one')];
  if (step.webhook === undefined) {
    return webhooks.length === 1 ? [] : [flaw([], `expected webhook: one of ${webhooks.join(', ')}`)];
  }
  return known.webhooks.has(step.webhook) ? [] : [flaw(['webhook'], unknownWord(step.webhook, webhooks))];
}

function waitFlaws(step: WaitStep, known: Known): Flaw[] {
  const ms = parseDuration(step.wait) ?? 0;
  if (ms <= LONGEST_REAL_WAIT_MS || known.phones.size === 0 || !known.drivers.includes('sip')) return [];
  return [flaw(['wait'], `expected drivers: [sim] with drivers_reason for a wait of ${step.wait}, or at most 60s`)];
}
