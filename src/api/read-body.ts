// From the bytes of a body to a JSON value, within limits. Knows no schema.
import { bodyLimitBytes } from '../contract/limits.ts';
import { failure, type Result, success } from '../kernel/errors.ts';

/** How deep arrays and objects of a body may nest. */
export const NESTING_LIMIT = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const tooLarge = failure('too_large', `The body is larger than ${bodyLimitBytes} bytes.`);

/** Whether a body of that type can be read; the type of an empty body does not matter. */
export function checkMediaType(type: string | undefined, encoding: string | undefined): Result<void> {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return failure('unsupported_media', 'The body has a Content-Encoding; expected none.');
  if (type === undefined)
    return failure('unsupported_media', 'The body has no Content-Type; expected application/json.');
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (media !== 'application/json')
    return failure('unsupported_media', 'The Content-Type of the body is not application/json.');
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii')
    return success(undefined);
  return failure('unsupported_media', 'The charset of the body is not utf-8.');
}

/** The value of a body that is not empty. */
export function parseJson(bytes: Uint8Array): Result<unknown> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return failure('invalid', 'The body is not valid UTF-8.', ['body: expected JSON in UTF-8']);
  }
  if (nestsTooDeep(text))
    return failure('invalid', `The body nests deeper than ${NESTING_LIMIT} levels.`, [
      `body: expected at most ${NESTING_LIMIT} levels of arrays and objects`,
    ]);
  try {
    return success(JSON.parse(text));
  } catch (error) {
    return failure('invalid', 'The body is not valid JSON.', [`body: expected JSON${placeIn(text, error)}`]);
  }
}

/** Where the parser could not go on: V8 names the position, the character, or the end. Nothing else of the body is repeated. */
function placeIn(text: string, error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(words) ?? [];
  if (position !== undefined) {
    const before = text.slice(0, Number(position)).split('\n');
    return `; it breaks at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  }
  if (words.startsWith('Unexpected end')) return '; it ends too early';
  const [, token] = /^Unexpected token '(.{1,2})'/su.exec(words) ?? [];
  return token === undefined ? '' : `; it has an unexpected ${JSON.stringify(token)}`;
}

/** Counts brackets outside of strings. Deep values would overflow the stack of whoever writes them out. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (inString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > NESTING_LIMIT) return true;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return false;
}
