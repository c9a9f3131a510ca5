// Compares what was expected with what came: partial match, matchers, JSON pointers. Knows no step and no request.

/** One difference; the pointer leads into the actual value. */
export interface Difference {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

const MATCHERS: Readonly<Record<string, (argument: unknown) => string | undefined>> = {
  $one_of: (argument) => (Array.isArray(argument) && argument.length > 0 ? undefined : 'a list of values'),
  $matches: (argument) => (isRegExp(argument) ? undefined : 'a regular expression'),
  $at_least: (argument) => (typeof argument === 'number' ? undefined : 'a number'),
  $at_most: (argument) => (typeof argument === 'number' ? undefined : 'a number'),
  $type: (argument) => (TYPES.includes(String(argument)) ? undefined : `one of ${TYPES.join(', ')}`),
  $size: (argument) => (Number.isInteger(argument) ? undefined : 'an integer'),
  $absent: (argument) => (argument === true ? undefined : 'true'),
  $not: (argument) => (argument === undefined ? 'a value' : undefined),
};
const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'];

/** What is wrong with an expected value; undefined when it can be compared. */
export function matcherProblem(expected: unknown): string | undefined {
  if (Array.isArray(expected)) return expected.map(matcherProblem).find((problem) => problem !== undefined);
  if (typeof expected !== 'object' || expected === null) return undefined;
  const entries = Object.entries(expected);
  const words = entries.filter(([name]) => name.startsWith('$'));
  if (words.length > 0 && words.length < entries.length)
    return 'expected either matchers ($...) or members, found both';
  for (const [name, argument] of entries) {
    if (name.startsWith('$')) {
      const check = MATCHERS[name];
      if (check === undefined) return `unknown: ${name}, expected one of ${Object.keys(MATCHERS).join(', ')}`;
      const wanted = check(argument);
      if (wanted !== undefined) return `${name}: expected ${wanted}`;
      if (name === '$not' || name === '$one_of') {
        const inner = matcherProblem(argument);
        if (inner !== undefined) return inner;
      }
    } else {
      const inner = matcherProblem(argument);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

/** The values that a set of pointers should find, all differences. */
export function pointerDifferences(actual: unknown, expected: Readonly<Record<string, unknown>>): Difference[] {
  return Object.entries(expected).flatMap(([pointer, wanted]) =>
    differences(valueAt(actual, pointer), wanted, pointer),
  );
}

/** Objects: at least these members. Arrays: as long, item by item. Everything else: equal. */
export function differences(actual: unknown, expected: unknown, pointer = ''): Difference[] {
  if (isMatcher(expected)) {
    const fits = Object.entries(expected).every(([name, argument]) => holds(actual, name, argument));
    return fits ? [] : [{ pointer, expected: wordsOf(expected), actual: shown(actual) }];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [unequal(pointer, expected, actual)];
    return expected.flatMap((item, index) => differences(actual[index], item, `${pointer}/${index}`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
      return [unequal(pointer, expected, actual)];
    return Object.entries(expected).flatMap(([name, wanted]) =>
      differences(own(actual, name), wanted, `${pointer}/${escaped(name)}`),
    );
  }
  return actual === expected ? [] : [unequal(pointer, expected, actual)];
}

/** What a JSON pointer (RFC 6901) leads to; undefined when it leads nowhere. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    found = own(found, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
}

/** A value as reports write it, cut when it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text;
}
const MAX_SHOWN = 400;

type Matcher = Readonly<Record<string, unknown>>;

function isMatcher(expected: unknown): expected is Matcher {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return false;
  return Object.keys(expected).some((name) => name.startsWith('$'));
}

function holds(actual: unknown, name: string, argument: unknown): boolean {
  switch (name) {
    case '$one_of':
      return (argument as unknown[]).some((one) => differences(actual, one).length === 0);
    case '$matches':
      return typeof actual === 'string' && new RegExp(String(argument)).test(actual);
    case '$at_least':
      return typeof actual === 'number' && actual >= Number(argument);
    case '$at_most':
      return typeof actual === 'number' && actual <= Number(argument);
    case '$type':
      return typesOf(actual).includes(String(argument));
    case '$size':
      return (Array.isArray(actual) || typeof actual === 'string') && actual.length === argument;
    case '$absent':
      return actual === undefined;
    case '$not':
      return differences(actual, argument).length > 0;
    default:
      return false;
  }
}

function wordsOf(matcher: Matcher): string {
  return Object.entries(matcher)
    .map(([name, argument]) => `${name.slice(1).replaceAll('_', ' ')} ${shown(argument)}`)
    .join(' and ');
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

function unequal(pointer: string, expected: unknown, actual: unknown): Difference {
  return { pointer, expected: shown(expected), actual: shown(actual) };
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isRegExp(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
