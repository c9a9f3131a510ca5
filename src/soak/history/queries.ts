// Questions about call records, each in the words of the API and in the words of who looks through all of them. Knows no server.
import type { Random } from '../../kernel/random.ts';
import type { Order, PlainQuery, PlainRows, Test, Value } from './plain-rows.ts';

export interface Question {
  /** Below the API's root, with its query. */
  readonly path: string;
  readonly plain: PlainQuery;
}

interface Condition {
  readonly operator: string;
  readonly value: unknown;
  readonly test: Test;
}

const numbers = ['id', 'live_id', 'parent_live_id', 'user_id', 'duration', 'billsec', 'rate', 'charge'] as const;
const texts = [
  'src',
  'dst',
  'src_id',
  'dst_id',
  'src_name',
  'dst_name',
  'clid',
  'context',
  't_cause',
  'src_codec',
] as const;
const words = ['type', 'disposition', 'destination'] as const;
const ordered = [
  'id',
  'live_id',
  'duration',
  'billsec',
  'charge',
  'user_id',
  'calldate',
  'src',
  'dst',
  'src_name',
] as const;
const grouped = ['user_id', 'type', 'disposition', 'dst', 'src', 'context', 'billsec'] as const;

export function question(rows: PlainRows, random: Random): Question {
  const conditions = Array.from({ length: random.int(4) }, () => condition(rows, random));
  const orders = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, (): Order => {
    return { property: random.pick(ordered), isDescending: random.int(2) === 0 };
  });
  const groupBy = random.int(8) === 0 ? random.pick(grouped) : undefined;
  const limit = random.pick([1, 7, 100, 1000, 5000]);
  const page = random.pick([1, 1, 1, 2, 3, 1 + random.int(Math.ceil(rows.count / limit) + 1)]);
  const userId = random.int(6) === 0 ? Number(someValue(rows, 'user_id', random)) : 0;
  const asked = new URLSearchParams();
  if (conditions.length > 0)
    asked.set(
      'filter',
      JSON.stringify(conditions.map(({ test: { property }, operator, value }) => ({ property, operator, value }))),
    );
  if (orders.length > 0)
    asked.set('sort', orders.map(({ property, isDescending }) => (isDescending ? `-${property}` : property)).join(','));
  if (groupBy !== undefined) asked.set('group_by', groupBy);
  asked.set('limit', String(limit));
  asked.set('page', String(page));
  const tests = conditions.map(({ test }) => test);
  return {
    path: `${userId > 0 ? `/users/${userId}/cdrs` : '/cdrs'}?${asked}`,
    plain: {
      tests,
      orders,
      page,
      limit,
      ...(groupBy === undefined ? {} : { groupBy }),
      ...(userId > 0 ? { userId } : {}),
    },
  };
}

function someValue(rows: PlainRows, property: string, random: Random): Value {
  return rows.at(random.int(rows.count), property);
}

function condition(rows: PlainRows, random: Random): Condition {
  const of = random.int(10);
  if (of < 3) return aboutNumber(rows, random.pick(numbers), random);
  if (of < 6) return aboutTime(rows, random);
  if (of < 9) return aboutText(rows, random.pick(texts), random);
  return aboutWord(rows, random.pick(words), random);
}

const compares = {
  gt: (value: Value, than: Value) => value > than,
  gte: (value: Value, than: Value) => value >= than,
  lt: (value: Value, than: Value) => value < than,
  lte: (value: Value, than: Value) => value <= than,
  eq: (value: Value, than: Value) => value === than,
  '=': (value: Value, than: Value) => value === than,
  ne: (value: Value, than: Value) => value !== than,
} as const;
const operators = Object.keys(compares) as [keyof typeof compares, ...Array<keyof typeof compares>];

/** Numbers may be written as texts, too. */
function aboutNumber(rows: PlainRows, property: string, random: Random): Condition {
  if (random.int(5) === 0) return among(rows, property, random, (value) => value);
  const operator = random.pick(operators);
  const than = someValue(rows, property, random);
  const value = random.int(3) === 0 ? String(than) : than;
  return { operator, value, test: { property, isWanted: (one) => compares[operator](one, than) } };
}

function aboutTime(rows: PlainRows, random: Random): Condition {
  const property = 'calldate';
  const than = String(someValue(rows, property, random));
  if (random.int(4) === 0) {
    const prefix = than.slice(0, 7 + random.int(10));
    return {
      operator: 'like',
      value: `${prefix}%`,
      test: { property, isWanted: (one) => String(one).startsWith(prefix) },
    };
  }
  const operator = random.pick(operators);
  const value = random.int(3) === 0 ? `${than.replace(' ', 'T')}Z` : than;
  return { operator, value, test: { property, isWanted: (one) => compares[operator](one, than) } };
}

function aboutText(rows: PlainRows, property: string, random: Random): Condition {
  const than = String(someValue(rows, property, random));
  switch (random.int(4)) {
    case 0:
      return among(rows, property, random, bare);
    case 1: {
      const operator = random.pick(['eq', '=', 'ne'] as const);
      const isSame = (one: Value): boolean => bare(one) === bare(than);
      return { operator, value: than, test: { property, isWanted: (one) => isSame(one) === (operator !== 'ne') } };
    }
    case 2: {
      const middle = than.slice(random.int(3), 3 + random.int(6)).replace(/[%_+]/g, '');
      return {
        operator: 'like',
        value: middle,
        test: { property, isWanted: (one) => String(one).toLowerCase().includes(middle.toLowerCase()) },
      };
    }
    default:
      return likePattern(than.replace(/[%_]/g, ''), property, random);
  }
}

/** Some characters of a text that is there, the others as signs. */
function likePattern(text: string, property: string, random: Random): Condition {
  const at = random.int(text.length + 1);
  const pattern = random.pick([
    `${text.slice(0, at)}%`,
    `%${text.slice(at)}`,
    `${text.slice(0, at)}_${text.slice(at + 1)}`,
    `%${text.slice(1, at)}%`,
  ]);
  const expression = new RegExp(
    `^${[...pattern].map((sign) => (sign === '%' ? '.*' : sign === '_' ? '.' : sign.replace(/[^\w\s]/g, '\\$&'))).join('')}$`,
    'is',
  );
  return {
    operator: 'like',
    value: pattern,
    test: { property, isWanted: (one) => spellings(String(one), pattern).some((form) => expression.test(form)) },
  };
}

/** A public number is found with and without its plus sign. */
function spellings(text: string, pattern: string): string[] {
  if (/^\+\d{5,20}$/.test(text)) return [text, text.slice(1)];
  return /^\d{5,20}$/.test(text) && pattern.startsWith('+') ? [text, `+${text}`] : [text];
}

function bare(value: Value): Value {
  return typeof value === 'string' && /^\+\d{5,20}$/.test(value) ? value.slice(1) : value;
}

function aboutWord(rows: PlainRows, property: string, random: Random): Condition {
  const than = someValue(rows, property, random);
  return { operator: 'eq', value: than, test: { property, isWanted: (one) => one === than } };
}

function among(rows: PlainRows, property: string, random: Random, form: (value: Value) => Value): Condition {
  const value = Array.from({ length: 1 + random.int(30) }, () => someValue(rows, property, random));
  const wanted = new Set(value.map(form));
  return { operator: 'in', value, test: { property, isWanted: (one) => wanted.has(form(one)) } };
}
