// The bytes of a request: as it should be, or with path, query, headers, method or body spoilt. Knows no connection.
import type { MadeRequest } from '../../api/requests.rig.ts';
import type { Random } from '../../kernel/random.ts';
import { badJson } from './bad-json.ts';

export interface RawRequest {
  readonly bytes: Buffer;
  readonly isHead: boolean;
  /** Nothing was done to it. */
  readonly isWhole: boolean;
}

interface Draft {
  method: string;
  path: string;
  query: string;
  headers: string[];
  body: Buffer | undefined;
  isWhole: boolean;
}

const ROOTS = ['/v1.1/pbx', '/v1.1/pbx', '/v1.1/pbx', '/v1.2/pbx', '/v1.1'] as const;

/** `authorization`: of somebody who may ask. */
export function rawRequest(made: MadeRequest, authorization: string, random: Random): RawRequest {
  const draft: Draft = {
    method: made.operation.method,
    path: random.pick(ROOTS) + made.path,
    query: made.query,
    headers: [`Authorization: ${authorization}`],
    body: made.body === undefined ? undefined : Buffer.from(JSON.stringify(made.body)),
    isWhole: true,
  };
  if (made.body !== undefined) draft.headers.push('Content-Type: application/json');
  if (random.int(100) >= 25) spoil(draft, made, random);
  const { method, path, query, headers, body } = draft;
  const head = [`${method} ${path}${query} HTTP/1.1`, 'Host: localhost', ...headers];
  if (body !== undefined) head.push(`Content-Length: ${body.length}`);
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
  return { bytes, isHead: method === 'HEAD', isWhole: draft.isWhole };
}

function spoil(draft: Draft, made: MadeRequest, random: Random): void {
  const spoilBody = (one: Draft): void => {
    one.body = badJson(made.body, random);
  };
  const ways: Array<(draft: Draft, random: Random) => void> = [spoilPath, spoilHeaders, spoilQuery];
  if (draft.body !== undefined) for (let more = 0; more < 5; more += 1) ways.push(spoilBody);
  if (random.int(12) === 0) ways.push(spoilMethod, spoilMethod);
  for (let count = 1 + random.int(2); count > 0; count -= 1) ways[random.int(ways.length)]?.(draft, random);
  draft.isWhole = false;
}

const methods = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'get',
  'GET',
  'POST',
  'PATCH',
  'DELETE',
  'QUERY',
  'X',
] as const;

function spoilMethod(draft: Draft, random: Random): void {
  draft.method = random.pick(methods);
}

const segments = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2f',
  '%00',
  '%ff',
  '%c0%af',
  '%',
  '%zz',
  '%25',
  '%E2%82%AC',
  '0',
  '-1',
  '1.5',
  '1e3',
  '01',
  '9'.repeat(30),
  'NaN',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'dictionaries',
  'x;y=1',
  '1,2',
  ',',
  '1,,1',
  '%2C',
  '+',
  '%2B442079460101',
  'a'.repeat(5000),
  Array.from({ length: 5001 }, (_, index) => 10_000_001 + index).join(','),
  '1.trace',
  '1.pcap',
  '.trace',
  '1.mp3',
  'cdrs.csv',
  '*',
  '$',
  '|',
  '"',
] as const;

function spoilPath(draft: Draft, random: Random): void {
  const parts = draft.path.split('/');
  const at = 1 + random.int(parts.length);
  switch (random.int(6)) {
    case 0:
      parts[at] = random.pick(segments);
      break;
    case 1:
      parts.splice(at, 0, random.pick(segments));
      break;
    case 2:
      parts.splice(Math.min(at, parts.length - 1), 1);
      break;
    case 3:
      parts[parts.length - 1] = random.pick(segments);
      break;
    case 4:
      draft.path = `http://elsewhere.example${draft.path}`;
      return;
    default:
      draft.path = encoded(draft.path, random);
      return;
  }
  draft.path = parts.join('/');
}

/** Any character may be written as its number. */
function encoded(path: string, random: Random): string {
  return [...path].map((sign) => (random.int(4) === 0 ? `%${sign.charCodeAt(0).toString(16)}` : sign)).join('');
}

const values = [
  '',
  '0',
  '-1',
  '1',
  '5000',
  '5001',
  '1e9',
  '9'.repeat(400),
  'NaN',
  'null',
  '%00',
  '%ff',
  '%',
  '%ZZ',
  'a'.repeat(70_000),
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '"',
  '%5B%7B%22property%22%3A%22id%22%2C%22operator%22%3A%22eq%22%2C%22value%22%3A1%7D%5D',
  'id',
  '-id',
  'id,-id,id',
  '__proto__',
  'constructor',
  'toString',
  ','.repeat(3000),
  `${'id,'.repeat(300)}id`,
  'ddis,users',
  'ddis,ddis',
  'users,,',
] as const;
const names = [
  'page',
  'limit',
  'filter',
  'sort',
  'group_by',
  'include',
  '__proto__',
  '',
  'x',
  '%00',
  'filter%5B%5D',
  'filter[0][property]',
] as const;

function spoilQuery(draft: Draft, random: Random): void {
  const asked = Array.from({ length: 1 + random.int(4) }, () => `${random.pick(names)}=${random.pick(values)}`);
  if (random.int(2) === 0)
    asked.push(`filter=${encodeURIComponent(badJson(conditions(random), random).toString('latin1')).slice(0, 80_000)}`);
  draft.query = `${draft.query === '' ? '?' : `${draft.query}&`}${asked.join(random.pick(['&', '&', ';', '&&']))}`;
}

const operators = ['like', 'eq', '=', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'between', '', 'toString'] as const;
const properties = [
  'id',
  'name',
  'calldate',
  'created_at',
  'user_id',
  'from',
  'e164',
  'labels',
  '__proto__',
  'nothing',
] as const;
const wanted = [
  null,
  1,
  -1,
  '',
  '%'.repeat(1024),
  '_%'.repeat(500),
  `${'a%'.repeat(500)}b`,
  [],
  [1, 'x', null],
  {},
  true,
  '2026-02-30 99:99:99',
  '9999-99',
  '\ud800',
] as const;

function conditions(random: Random): unknown {
  const one = (): object => ({
    property: random.pick(properties),
    operator: random.pick(operators),
    value: wanted[random.int(wanted.length)],
  });
  return Array.from({ length: random.int(20) === 0 ? 40 : 1 + random.int(3) }, one);
}

function spoilHeaders(draft: Draft, random: Random): void {
  const plain = (text: string): string => Buffer.from(text).toString('base64');
  const authorizations = [
    '',
    'Basic',
    'Basic ',
    'Basic ====',
    'Basic !!!',
    'Bearer abc',
    'basic abc',
    `Basic ${plain('1')}`,
    `Basic ${plain(':')}`,
    `Basic ${plain('10000001:')}`,
    `Basic ${plain(`10000001:${'x'.repeat(100_000)}`)}`,
    `Basic ${plain(`${random.int(1e9)}:${random.token(60_000)}`)}`,
    `Basic ${plain('__proto__:x')}`,
    `Basic ${plain(`${'9'.repeat(15)}:x`)}`,
    `Basic ${plain('a@b.example:x')}`,
    `Basic ${plain('\u0000:\u0000')}`,
    '\xff\xfe',
    'Digest username="x"',
    'Basic a b c',
  ];
  const others = [
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=utf-16',
    'Content-Type: application/json;;;=',
    'Content-Type: ',
    'Content-Type: application/json, text/html',
    'Content-Encoding: gzip',
    'Content-Encoding: identity',
    'Accept: image/png',
    'Accept-Encoding: gzip;q=0',
    'Origin: null',
    'Origin: \x01',
    'Origin: http://evil.example',
    `Origin: ${'o'.repeat(9000)}`,
    'Expect: 100-continue',
    'Expect: the worst',
    'Range: bytes=0-',
    'If-None-Match: *',
    'X-HTTP-Method-Override: DELETE',
    'X-Forwarded-For: 127.0.0.1',
    'Forwarded: for=_x',
    'Host: other.example',
    'Connection: close',
    'Connection: keep-alive, upgrade',
    'Upgrade: h2c',
    'Cookie: a=b',
    'Access-Control-Request-Method: TRACE',
    'Bad Header: x',
    ': x',
    'no colon',
    'X: a\r\n folded',
    ...[
      `X-Long: ${'l'.repeat(60_000)}`,
      Array.from({ length: 500 }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
    ],
  ];
  if (random.int(2) === 0) draft.headers[0] = `Authorization: ${authorizations[random.int(authorizations.length)]}`;
  else if (random.int(8) === 0) draft.headers.shift();
  else draft.headers.push(others[random.int(others.length)] ?? '');
}
