// Reads a fault as a client writes it, and says of each member what is wrong with it. Knows no boundary's messages.
import { failure, type Result, success } from '../kernel/errors.ts';
import { readPointer } from './pointer.ts';
import {
  BOUNDARIES,
  type Boundary,
  DEEDS,
  DIRECTIONS,
  type FaultDraft,
  MAX_COUNT,
  MAX_DELAY_MS,
  MAX_POINTER_CHARACTERS,
  MAX_TTL_MS,
  MAX_VALUE_CHARACTERS,
  ttlMs,
} from './rule.ts';

/** Words that only others know. */
export interface FaultWords {
  readonly operations: readonly string[];
  readonly events: readonly string[];
}

const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;
const SIP_METHODS = [
  ...['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'REGISTER', 'INFO', 'REFER', 'NOTIFY'],
  ...['SUBSCRIBE', 'MESSAGE', 'UPDATE', 'PRACK', 'PUBLISH'],
];
const MAX_PROBLEMS = 20;

const MATCH_OF: Readonly<Record<Boundary, readonly string[]>> = {
  api: ['operation', 'method'],
  webhook: ['event'],
  sip: ['method', 'direction'],
};
/** Members that an action has beside `do`; those with `!` it must have. */
const MEMBERS_OF: Readonly<Record<string, readonly string[]>> = {
  status: ['status!'],
  delay: ['ms!'],
  reorder: ['ms'],
  field: ['pointer!', 'value'],
};
const ACTION_MEMBERS = ['do', 'status', 'ms', 'pointer', 'value'];
const MATCH_MEMBERS = ['at', 'operation', 'event', 'method', 'direction'];
const COUNTS = ['times', 'after', 'probability', 'ttl'];

type Members = Readonly<Record<string, unknown>>;
/** What was expected; undefined when the value is fine. */
type Check = (value: unknown) => string | undefined;

/** Reads a fault. `invalid` names every member that is unknown, missing, of a wrong type, or impossible beside the others. */
export function parseFault(input: unknown, words: FaultWords): Result<FaultDraft> {
  if (!isObject(input)) return failure('invalid', 'The fault is not valid.', ['fault: expected an object']);
  const problems = [
    ...unknownMembers('', input, ['match', 'action', ...COUNTS]),
    ...matchProblems(input.match, words),
    ...actionProblems(input.action, boundaryOf(input.match)),
    ...COUNTS.flatMap((name) => problem(name, input[name], COUNT_CHECKS[name])),
  ];
  if (problems.length > 0) return failure('invalid', 'The fault is not valid.', problems.slice(0, MAX_PROBLEMS));
  return success(structuredClone(input) as unknown as FaultDraft);
}

function matchProblems(match: unknown, words: FaultWords): string[] {
  if (!isObject(match)) return [`match: ${match === undefined ? 'missing, ' : ''}expected an object`];
  const at = boundaryOf(match);
  const unknown = unknownMembers('match.', match, MATCH_MEMBERS);
  if (at === undefined) return [...unknown, `match.at: ${missing(match.at)}expected ${oneOf(BOUNDARIES)}`];
  const checks: Readonly<Record<string, Check>> = {
    operation: (value) => among(words.operations, value, 'an operation id of the specification'),
    event: (value) => among(words.events, value),
    method: (value) => among(at === 'api' ? HTTP_METHODS : SIP_METHODS, value),
    direction: (value) => among(DIRECTIONS, value),
  };
  const fitting = MATCH_OF[at];
  return [
    ...unknown,
    ...Object.keys(checks).flatMap((name) =>
      match[name] !== undefined && !fitting.includes(name)
        ? [`match.${name}: does not go with at ${at}, which takes ${fitting.join(' and ')}`]
        : problem(`match.${name}`, match[name], checks[name]),
    ),
  ];
}

function actionProblems(action: unknown, at: Boundary | undefined): string[] {
  if (!isObject(action)) return [`action: ${action === undefined ? 'missing, ' : ''}expected an object`];
  const unknown = unknownMembers('action.', action, ACTION_MEMBERS);
  const known: readonly string[] = at === undefined ? Object.values(DEEDS).flat() : DEEDS[at];
  const deed = action.do;
  if (typeof deed !== 'string' || !known.includes(deed)) {
    const where = at === undefined ? '' : ` at ${at}`;
    return [...unknown, `action.do: ${missing(deed)}expected ${oneOf([...new Set(known)])}${where}`];
  }
  const members = MEMBERS_OF[deed] ?? [];
  const takes = members.map((name) => name.replace('!', ''));
  const needs = members.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const extra = ACTION_MEMBERS.slice(1).filter((name) => action[name] !== undefined && !takes.includes(name));
  const lacking = needs.filter((name) => action[name] === undefined);
  return [
    ...unknown,
    ...extra.map((name) => `action.${name}: does not go with do ${deed}`),
    ...lacking.map((name) => `action.${name}: missing, do ${deed} needs it`),
    ...takes.flatMap((name) => problem(`action.${name}`, action[name], ACTION_CHECKS[name])),
    ...(action.pointer === '' && action.value === undefined ? ['action.value: missing, the whole body needs one'] : []),
  ];
}

const ACTION_CHECKS: Readonly<Record<string, Check>> = {
  status: (value) => whole(value, 400, 599, 'an error status'),
  ms: (value) => whole(value, 0, MAX_DELAY_MS, 'whole milliseconds'),
  pointer: (value) =>
    typeof value === 'string' && value.length <= MAX_POINTER_CHARACTERS && readPointer(value) !== undefined
      ? undefined
      : `a JSON pointer such as /data/0/id, up to ${MAX_POINTER_CHARACTERS} characters`,
  value: (value) =>
    JSON.stringify(value).length <= MAX_VALUE_CHARACTERS
      ? undefined
      : `JSON of up to ${MAX_VALUE_CHARACTERS} characters`,
};

const COUNT_CHECKS: Readonly<Record<string, Check>> = {
  times: (value) => whole(value, 1, MAX_COUNT, 'an integer'),
  after: (value) => whole(value, 0, MAX_COUNT, 'an integer'),
  probability: (value) =>
    typeof value === 'number' && value > 0 && value <= 1 ? undefined : 'a number above 0 and up to 1',
  ttl: (value) => {
    const ms = typeof value === 'number' || typeof value === 'string' ? ttlMs(value) : undefined;
    return ms !== undefined && ms > 0 && ms <= MAX_TTL_MS
      ? undefined
      : 'milliseconds or a duration such as 15m, above 0 and up to 365d';
  },
};

function boundaryOf(match: unknown): Boundary | undefined {
  return isObject(match) ? BOUNDARIES.find((at) => at === match.at) : undefined;
}

function problem(path: string, value: unknown, check: Check | undefined): string[] {
  const expected = value === undefined ? undefined : check?.(value);
  return expected === undefined ? [] : [`${path}: expected ${expected}`];
}

function unknownMembers(prefix: string, members: Members, known: readonly string[]): string[] {
  return Object.keys(members)
    .filter((name) => !known.includes(name))
    .map((name) => `${prefix}${name}: unknown, expected ${oneOf(known)}`);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function among(known: readonly string[], value: unknown, name = oneOf(known)): string | undefined {
  return typeof value === 'string' && known.includes(value) ? undefined : name;
}

function whole(value: unknown, least: number, most: number, name: string): string | undefined {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return fits ? undefined : `${name} from ${least} to ${most}`;
}

function missing(value: unknown): string {
  return value === undefined ? 'missing, ' : '';
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`;
}
