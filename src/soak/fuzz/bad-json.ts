// JSON that is wrong, or right and nasty, made of JSON that is right. Knows no operation.
import type { Random } from '../../kernel/random.ts';

type Members = Record<string, unknown>;

/** Text of a body: the value with something done to it. */
export function badJson(value: unknown, random: Random): Buffer {
  const text = JSON.stringify(value) ?? '{}';
  return random.int(3) === 0
    ? badBytes(text, random)
    : Buffer.from(random.int(3) === 0 ? badText(text, random) : JSON.stringify(changed(value, random)));
}

const strange = [
  null,
  true,
  '',
  0,
  -1,
  1.5,
  1e308,
  -0,
  9_007_199_254_740_992,
  '\u0000',
  '\u202e\ufeff',
  '=1+1',
  "'; DROP TABLE users; --",
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '%s%n',
  '\r\nX-Evil: 1',
  '👩‍👩‍👧',
  'a'.repeat(70_000),
  [],
  {},
  [[[[[]]]]],
  { toString: 1, valueOf: 2, toJSON: 3, length: -1 },
  { constructor: { prototype: { polluted: true } } },
] as const;

function odd(random: Random): unknown {
  return strange[random.int(strange.length)];
}

/** The same shape with one thing in it that should not be there, gone, or of another kind. */
function changed(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    switch (random.int(5)) {
      case 0:
        return [];
      case 1:
        return Array.from({ length: 5001 }, () => value[0]);
      case 2:
        return [...value, odd(random)];
      case 3:
        return value[0];
      default:
        return value.map((one) => changed(one, random));
    }
  }
  if (typeof value !== 'object' || value === null) return odd(random);
  const members: Members = { ...value };
  const names = Object.keys(members);
  const name = names[random.int(Math.max(1, names.length))] ?? 'name';
  switch (random.int(6)) {
    case 0:
      delete members[name];
      return members;
    case 1:
      return { ...members, [name]: odd(random) };
    case 2:
      return { ...members, [name]: changed(members[name], random) };
    case 3:
      return {
        ...members,
        ...Object.fromEntries(
          ['id', 'customer', 'constructor', 'toJSON', '', 'x'.repeat(300)].map((key) => [key, odd(random)]),
        ),
      };
    case 4:
      return { ...members, [name]: [members[name]] };
    default:
      return random.int(4) === 0 ? odd(random) : members;
  }
}

/** What `JSON.stringify` never writes. */
function badText(text: string, random: Random): string {
  const wraps: ReadonlyArray<(text: string) => string> = [
    (one) => one.replace(/^\{/, '{"__proto__":{"polluted":true},'),
    (one) => one.replace(/^\{/, '{"constructor":null,"__proto__":null,"hasOwnProperty":1,'),
    (one) => one.replace(/^\{("[^"]+":)/, '{$1null,$1'),
    (one) => one.replace(/:\d+/, ':1e999'),
    (one) => one.replace(/:\d+/, ':-1e-999'),
    (one) => one.replace(/:\d+/, `:${'9'.repeat(5000)}`),
    (one) => one.replace(/:"/, ':"\\ud800'),
    (one) => one.replace(/:"/, ':"\\udfff\\ud83d'),
    (one) => one.replace(/:"/, ':"\\u0000\\u001f'),
    (one) => `${'['.repeat(60)}${one}${']'.repeat(60)}`,
    (one) => `${'['.repeat(100_000)}${one}`,
    () => `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
    (one) => one.slice(0, random.int(one.length)),
    (one) => `${one}${one}`,
    (one) => one.replaceAll('"', "'"),
    (one) => `/* hello */ ${one}`,
    (one) => one.replace(/:[^,}]+/, ':NaN'),
    (one) => one.replace(/:[^,}]+/, ':undefined'),
    (one) => `\ufeff${one}`,
    (one) => ` \n\t${one}\n`,
    () => 'null',
    () => '"text"',
    () => '0',
    () => '[]',
    () => '{}',
    () => ' ',
    () => '"\\',
  ];
  return wraps[random.int(wraps.length)]?.(text) ?? text;
}

function badBytes(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  switch (random.int(6)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, 5), Buffer.from([0xff, 0xfe, 0xc0, 0xaf]), bytes.subarray(5)]);
    case 1:
      return Buffer.from(text, 'utf16le');
    case 2:
      return Buffer.from(text.replace(/"([^"]*)"/, '"\u00e9$1"'), 'latin1');
    case 3:
      return Buffer.from(random.token(1 + random.int(300)));
    case 4:
      return random.int(10) === 0 ? Buffer.alloc(1_048_577, 0x20) : Buffer.alloc(2000, 0x5b);
    default: {
      const flipped = Buffer.from(bytes);
      const at = random.int(Math.max(1, flipped.length));
      if (flipped.length > 0) flipped[at] = random.int(256);
      return flipped;
    }
  }
}
