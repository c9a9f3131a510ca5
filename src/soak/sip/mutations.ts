// What becomes of a real SIP message on its way here: damage of every kind, drawn from a seed, some with the answer that it must get. Sends nothing.
import type { Random } from '../../kernel/random.ts';

/** A damaged message. `owed`: what must be answered when the message was in order before; absent where that cannot be told. */
export interface Mutant {
  readonly name: string;
  readonly bytes: Buffer;
  readonly owed?: number;
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

/** Tests of numbers, names and delimiters: whatever a value may be written as. */
const HOSTILE: readonly [string, ...string[]] = [
  '',
  ' ',
  ';',
  ',',
  '<',
  '>',
  '"',
  '\\',
  '<<sip:x>>',
  'sip:',
  'sip:@',
  'sip:[::',
  'sip:a@b:99999',
  'tel:',
  '*',
  '-1',
  '0',
  '4294967296',
  '99999999999999999999999999',
  '1e9',
  '0x7fffffff',
  ';tag=',
  ';tag=a;tag=b',
  '%00%0d%0aBYE',
  'SIP/2.0/UDP',
  'SIP/2.0/UDP :;branch=',
  '2147483648 INVITE',
  '1 BYE',
  'Digest ',
  'Digest username=",,,"',
  '\u0000',
  '\u2028',
  'Ω'.repeat(40),
  '__proto__',
  'constructor',
];

const METHODS: readonly [string, ...string[]] = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'INFO',
  'PRACK',
  'UPDATE',
  'SUBSCRIBE',
  'NOTIFY',
  'REFER',
  'MESSAGE',
  'REGISTER',
  'PUBLISH',
  'constructor',
  'invite',
  'SIP/2.0',
];

const LISTS: readonly [string, ...string[]] = [
  'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1',
  'Route: <sip:a@192.0.2.1;lr>',
  'Record-Route: <sip:a@192.0.2.1;lr>',
  'Contact: <sip:a@192.0.2.1>',
  'Require: x',
  'Supported: x',
  'Allow: X',
  'Proxy-Authorization: Digest username="x", nonce="y", response="z"',
  'Refer-To: <sip:a@192.0.2.1>',
  'Replaces: a;to-tag=b;from-tag=c',
  'Event: dialog',
  'X-Unknown: y',
];

/** How often a list is repeated at most. */
const MAX_REPEATS = 400;
const MAX_NESTING = 60;

const DAMAGES: readonly [readonly [string, Damage], ...(readonly [string, Damage])[]] = [
  ['bytes flipped', flipBytes],
  ['bits flipped', flipBits],
  ['cut short', (bytes, random) => bytes.subarray(0, random.int(bytes.length + 1))],
  ['a piece left out', leaveOut],
  ['a piece doubled', double],
  ['no UTF-8', (bytes, random) => insert(bytes, random, Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]))],
  [
    'line ends',
    (bytes, random) =>
      Buffer.from(text(bytes).replaceAll('\r\n', random.pick(['\n', '\r', '\n\r', '\r\n\r\n'])), 'latin1'),
  ],
  ['a line left out', onLines((lines, at) => lines.splice(at, 1))],
  ['a line doubled', onLines((lines, at) => lines.splice(at, 0, lines[at] ?? ''))],
  ['a line moved', onLines((lines, at, random) => lines.splice(random.int(lines.length), 0, ...lines.splice(at, 1)))],
  [
    'a line folded',
    onLines((lines, at, random) => {
      const line = lines[at] ?? '';
      const cut = random.int(line.length + 1);
      lines[at] = `${line.slice(0, cut)}\r\n ${line.slice(cut)}`;
    }),
  ],
  [
    'a hostile value',
    onLines((lines, at, random) => {
      lines[at] = `${(lines[at] ?? '').split(':')[0]}: ${Buffer.from(random.pick(HOSTILE), 'utf8').toString('latin1')}`;
    }),
  ],
  [
    'a long value',
    onLines((lines, at, random) => {
      lines[at] += random.pick(['a', ';', ',', '"', '<', ' ', '%41', '\\']).repeat(random.int(20_000));
    }),
  ],
  [
    'huge numbers',
    (bytes, random) =>
      Buffer.from(
        text(bytes).replace(/\d+/g, (digits) => (random.int(6) === 0 ? '9'.repeat(1 + random.int(30)) : digits)),
        'latin1',
      ),
  ],
  [
    'a long list',
    onLines((lines, at, random) => {
      const line = random.pick(LISTS);
      const [name = '', value = ''] = line.split(/: (.*)/s);
      const times = 1 + random.int(MAX_REPEATS);
      const many =
        random.int(2) === 0
          ? Array.from({ length: times }, () => line)
          : [`${name}: ${Array.from({ length: times }, () => value).join(',')}`];
      lines.splice(Math.max(1, at), 0, ...many);
    }),
  ],
  ['Content-Length lies', lieAboutLength],
  ['nested multipart', nest],
  ['another method', (bytes, random) => Buffer.from(text(bytes).replace(/^\S+/, random.pick(METHODS)), 'latin1')],
  [
    'another body',
    (bytes, random) =>
      Buffer.concat([head(bytes), Buffer.from(Array.from({ length: random.int(300) }, () => random.int(256)))]),
  ],
];

/** Damage whose answer is known when the request was in order before and nothing else was done to it. None of it is for ACK and CANCEL. */
const OWED: readonly [
  readonly [string, number, (message: string) => string],
  ...(readonly [string, number, (message: string) => string])[],
] = [
  ['no From', 400, (message) => without(message, 'From')],
  ['no To', 400, (message) => without(message, 'To')],
  ['no Call-ID', 400, (message) => without(message, 'Call-ID')],
  ['no CSeq', 400, (message) => without(message, 'CSeq')],
  ['two From', 400, (message) => message.replace(/^(From: .*)$/m, '$1\r\n$1')],
  ['two CSeq', 400, (message) => message.replace(/^(CSeq: .*)$/m, '$1\r\n$1')],
  ['another CSeq method', 400, (message) => message.replace(/^(CSeq: \d+) \w+/m, '$1 NOTHING')],
  ['CSeq beyond 2**31', 400, (message) => message.replace(/^CSeq: \d+/m, 'CSeq: 4294967295')],
  ['Max-Forwards beyond 255', 400, (message) => message.replace(/^Max-Forwards: \d+/m, 'Max-Forwards: 300')],
  ['another version', 505, (message) => message.replace(/SIP\/2\.0/, 'SIP/7.0')],
  ['another scheme', 416, (message) => message.replace(/^(\w+) \S+/, '$1 gopher:someone')],
  ['headers in the Request-URI', 400, (message) => message.replace(/^(\w+) \S+/, '$1 sip:a@pbx.example?Subject=x')],
  ['an unbalanced From', 400, (message) => message.replace(/^From: .*$/m, 'From: "Anna <sip:anna@pbx.example>;tag=1')],
  ['more promised than there is', 400, (message) => message.replace(/^Content-Length: \d+/m, 'Content-Length: 9999')],
];

/** Whether damage with a known answer can be done to this: a request that is neither ACK nor CANCEL, with the usual headers. */
function isPlainRequest(bytes: Buffer): boolean {
  const start = text(bytes);
  return (
    /^(?!ACK|CANCEL|SIP\/)[A-Z]+ \S+ SIP\/2\.0\r\n/.test(start) &&
    /^Max-Forwards: /m.test(start) &&
    /^Content-Length: /m.test(start)
  );
}

/** One kind of damage, sometimes up to four, or one whose answer is known. */
export function mutate(original: Uint8Array, random: Random): Mutant {
  const bytes = Buffer.from(original);
  if (random.int(8) === 0 && isPlainRequest(bytes)) {
    const [name, owed, damage] = random.pick(OWED);
    return { name, owed, bytes: Buffer.from(damage(afresh(text(bytes), random)), 'latin1') };
  }
  const names: string[] = [];
  let done: Buffer = random.int(3) === 0 ? bytes : Buffer.from(afresh(text(bytes), random), 'latin1');
  for (let times = random.int(3) === 0 ? 1 + random.int(4) : 1; times > 0 && done.length > 0; times -= 1) {
    const [name, damage] = random.pick(DAMAGES);
    names.push(name);
    done = damage(done, random);
  }
  return { name: names.join(', '), bytes: done };
}

/** As a request of its own: else most would be taken for copies of what was answered already. */
function afresh(message: string, random: Random): string {
  return message.replace(/branch=z9hG4bK\w+/, `branch=z9hG4bK${random.hex(16)}`);
}

function text(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function head(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? bytes : bytes.subarray(0, end + 4);
}

function without(message: string, name: string): string {
  return message.replace(new RegExp(`^${name}: .*\\r\\n`, 'm'), '');
}

function insert(bytes: Buffer, random: Random, what: Buffer): Buffer {
  const at = random.int(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);
}

function flipBytes(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + random.int(8); times > 0; times -= 1) copy[random.int(copy.length)] = random.int(256);
  return copy;
}

function flipBits(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + random.int(4); times > 0; times -= 1) {
    const at = random.int(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.int(8));
  }
  return copy;
}

function leaveOut(bytes: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.int(60))]);
}

function double(bytes: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - random.int(200)))]);
}

function onLines(change: (lines: string[], at: number, random: Random) => unknown): Damage {
  return (bytes, random) => {
    const lines = text(head(bytes)).split('\r\n').slice(0, -2);
    if (lines.length === 0) return bytes;
    change(lines, random.int(lines.length), random);
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes.subarray(head(bytes).length)]);
  };
}

function lieAboutLength(bytes: Buffer, random: Random): Buffer {
  const lie = random.pick([
    '0',
    '1',
    '-1',
    '65536',
    '4294967297',
    '12abc',
    '',
    '1\r\nContent-Length: 2',
    String(random.int(2_000)),
  ]);
  return Buffer.from(text(bytes).replace(/^Content-Length: .*$/m, `Content-Length: ${lie}`), 'latin1');
}

/** A body of parts within parts, each with a boundary of its own, the innermost a session description. */
function nest(bytes: Buffer, random: Random): Buffer {
  let body = 'Content-Type: application/sdp\r\n\r\nv=0\r\n';
  const depth = 1 + random.int(MAX_NESTING);
  for (let level = 0; level < depth; level += 1) {
    body = `Content-Type: multipart/mixed;boundary=b${level}\r\n\r\n--b${level}\r\n${body}\r\n--b${level}--\r\n`;
  }
  const outer = `b${depth - 1}`;
  const start = text(head(bytes))
    .replace(/^Content-Type: .*\r\n/m, '')
    .replace(
      /^Content-Length: .*$/m,
      `Content-Type: multipart/mixed;boundary=${outer}\r\nContent-Length: ${body.length}`,
    );
  return Buffer.from(start + body, 'latin1');
}
