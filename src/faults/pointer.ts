// Changes one place in a JSON value, named by a pointer (RFC 6901). Knows nothing of what the value means.
import type { Json } from '../kernel/journal.ts';

/** The reference tokens of a pointer, unescaped; undefined when the text is no pointer. */
export function readPointer(text: string): readonly string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * A copy with `value` at that place, or without the place when `value` is undefined. Undefined when there is no such
 * place: a member may be new to its object, an element only at the end of its array.
 */
export function changeAt(body: Json, pointer: readonly string[], value: Json | undefined): Json | undefined {
  const [token, ...rest] = pointer;
  if (token === undefined) return value;
  if (typeof body !== 'object' || body === null) return undefined;
  return Array.isArray(body)
    ? changeElement(body, token, rest, value)
    : changeMember(body as JsonObject, token, rest, value);
}

type JsonObject = { readonly [key: string]: Json | undefined };

function changeElement(
  array: readonly Json[],
  token: string,
  rest: readonly string[],
  value: Json | undefined,
): Json | undefined {
  const index = token === '-' ? array.length : /^(0|[1-9]\d{0,8})$/.test(token) ? Number(token) : Number.NaN;
  const old = array[index];
  if (rest.length === 0) {
    const fits = value === undefined ? index < array.length : index <= array.length;
    return fits ? array.toSpliced(index, 1, ...(value === undefined ? [] : [value])) : undefined;
  }
  const changed = old === undefined ? undefined : changeAt(old, rest, value);
  return changed === undefined ? undefined : array.with(index, changed);
}

function changeMember(
  object: JsonObject,
  token: string,
  rest: readonly string[],
  value: Json | undefined,
): Json | undefined {
  const old = Object.hasOwn(object, token) ? object[token] : undefined;
  if (rest.length === 0 && value === undefined) {
    return old === undefined
      ? undefined
      : Object.fromEntries(Object.entries(object).filter(([name]) => name !== token));
  }
  const changed = rest.length === 0 ? value : old === undefined ? undefined : changeAt(old, rest, value);
  if (changed === undefined) return undefined;
  // Entries, not assignment: a member may be called __proto__.
  return old === undefined
    ? Object.fromEntries([...Object.entries(object), [token, changed]])
    : Object.fromEntries(Object.entries(object).map(([name, kept]) => [name, name === token ? changed : kept]));
}
