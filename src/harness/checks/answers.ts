// Whether an answer has the published form: envelopes, members, kinds of file, error bodies. Knows no request.
import type { Operation } from '../../contract/operation.ts';
import type { Answer } from '../conform/check.ts';
import { doubtful, type Finding, met, observed, violated } from '../conform/finding.ts';
import { isUtf8 } from '../conform/session.ts';
import { valueAt } from '../matching.ts';

/** Undefined when the body is JSON in UTF-8. */
function noJson({ body, text, bytes, headers }: Answer): Finding | undefined {
  if (!isUtf8(bytes)) return violated('The body is no UTF-8.', 'JSON', `${bytes.length} bytes`);
  if (body === undefined)
    return violated(
      'The body is no JSON.',
      'JSON',
      `${headers['content-type'] ?? 'no media type'}: ${text.slice(0, 200)}`,
    );
  return undefined;
}

/** What is JSON and does not say so is read all the same by whoever expects it. */
function wellNamed({ headers }: Answer, message = ''): Finding {
  const type = String(headers['content-type'] ?? 'none');
  if (/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return met(message);
  return doubtful('JSON comes under another media type.', 'application/json', type);
}

/** `message`, a text, and `errors`, an array of texts. */
export function errorBodyFinding(answer: Answer): Finding {
  const broken = noJson(answer);
  if (broken !== undefined) return broken;
  const { message, errors } = (answer.body ?? {}) as { readonly message?: unknown; readonly errors?: unknown };
  if (typeof message !== 'string') return violated('The error has no message.', 'message, a string', answer.text);
  if (!Array.isArray(errors) || errors.some((one) => typeof one !== 'string'))
    return violated('The error has no errors.', 'errors, an array of strings', answer.text);
  return wellNamed(answer);
}

/** What the BODY clause of an operation asks for. */
export function bodyFinding(operation: Operation, answer: Answer): Finding {
  const { response, body } = operation;
  if (response.kind === 'empty') return emptyFinding(answer);
  if (response.kind === 'file') return fileFinding(operation, answer);
  if (answer.text === '' && (response.kind === 'message' || body?.bulk === true) && !hasTable(operation))
    return observed('The answer has no body.');
  const broken = noJson(answer);
  if (broken !== undefined) return broken;
  if (body?.bulk === true)
    return observed('The answer to the bulk change.', Object.keys((answer.body ?? {}) as object).join(', '));
  switch (response.kind) {
    case 'collection':
      return listFinding(answer);
    case 'list-single':
      return listFinding(answer, 1);
    case 'single':
      return singleFinding(answer);
    case 'sub-collection':
      return ownerFinding(answer);
    case 'message':
      return messageFinding(operation, answer);
  }
}

function hasTable({ id }: Operation): boolean {
  return ['login', 'loginTwoFactor', 'logout', 'ping'].includes(id);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listFinding(answer: Answer, count?: number): Finding {
  const data = valueAt(answer.body, '/data');
  const total = valueAt(answer.body, '/total');
  if (!Array.isArray(data)) return violated('There is no list.', 'data, an array', answer.text);
  if (!data.every(isObject))
    return violated(
      'An element of data is no record.',
      'objects',
      data.find((one) => !isObject(one)),
    );
  if (!Number.isInteger(total) || Number(total) < 0)
    return violated('There is no total.', 'total, an integer', total ?? answer.text.slice(-200));
  if (count !== undefined && data.length !== count) return violated('The list has another length.', count, data.length);
  return wellNamed(answer);
}

function singleFinding(answer: Answer): Finding {
  const data = valueAt(answer.body, '/data');
  const links = valueAt(answer.body, '/links');
  if (!isObject(data)) return violated('There is no record.', 'data, an object', answer.text);
  if (!isObject(links)) return violated('There are no links.', 'links, an object', links ?? answer.text.slice(-200));
  return wellNamed(answer);
}

/** Published with one object of the owner's shape, where the path promises a list: either is right. */
function ownerFinding(answer: Answer): Finding {
  const data = valueAt(answer.body, '/data');
  if (Array.isArray(data)) return wellNamed(answer, 'data is a list of the items.');
  if (!isObject(data)) return violated('There is no data.', 'data, an object of the owner or a list', answer.text);
  const items = Array.isArray(valueAt(data, '/items'));
  return wellNamed(answer, items ? "data has the owner's shape, with the items in it." : "data has the owner's shape.");
}

function messageFinding(operation: Operation, answer: Answer): Finding {
  if (!hasTable(operation))
    return observed('The members of the answer.', Object.keys((answer.body ?? {}) as object).join(', '));
  const isLogin = operation.id === 'login' || operation.id === 'loginTwoFactor';
  const wanted = isLogin ? ['message', 'user_token', 'user_id'] : ['message'];
  const missing = wanted.filter((name) => valueAt(answer.body, `/${name}`) === undefined);
  if (missing.length > 0) return violated('Members are missing.', wanted.join(', '), answer.text);
  const texts = wanted.filter((name) => name !== 'user_id');
  const wrong = texts.find((name) => typeof valueAt(answer.body, `/${name}`) !== 'string');
  return wrong === undefined
    ? wellNamed(answer)
    : violated(`${wrong} is no text.`, 'a string', valueAt(answer.body, `/${wrong}`));
}

function emptyFinding({ status, bytes, text }: Answer): Finding {
  if (bytes.length === 0) return met();
  return status === 204 ? violated('There is a body.', 'none', text) : observed('The answer has a body.', text);
}

/** How files of each kind begin. */
const beginnings: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  mp3: (bytes) =>
    bytes.subarray(0, 3).toString('latin1') === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  pcap: (bytes) =>
    ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a'].includes(bytes.subarray(0, 4).toString('hex')),
  csv: (bytes) => isUtf8(bytes) && /[,;\t]/.test(bytes.subarray(0, 4096).toString()),
  trace: () => true,
};

function fileFinding({ path }: Operation, { bytes, body, headers, text }: Answer): Finding {
  const kind = path.split('.').at(-1) ?? '';
  const type = String(headers['content-type'] ?? 'no media type');
  if (bytes.length === 0) return violated('The file is empty.', `a file of kind ${kind}`, '0 bytes');
  if (kind !== 'trace' && (body !== undefined || /json/i.test(type)))
    return violated('The file is JSON.', `a file of kind ${kind}`, text);
  if (beginnings[kind]?.(bytes) === false)
    return violated(
      `The file does not begin as one of kind ${kind} does.`,
      `a file of kind ${kind}`,
      `${type}: ${bytes.subarray(0, 16).toString('hex')}`,
    );
  return met(type);
}
