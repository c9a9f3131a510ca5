// What is wrong with an answer, whatever was asked. Knows no operation.
import type { WireOutcome } from './wire.ts';

/** Files and lines of a program, and what frames of its stack look like. */
const STACK = /node_modules|\.(ts|js):\d+|\n\s+at |\bat \S+ \(|file:\/\//;
const MISTAKE = /simulator made a mistake|\[object Object\]/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined when it is as it should be. */
export function problemOf(outcome: WireOutcome): string | undefined {
  if (typeof outcome === 'string') return `the answer is ${outcome}`;
  const { status, headers, body } = outcome;
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  const text = body.toString('latin1');
  const shown = text.slice(0, 300);
  if (status >= 500) return `${status} ${shown}`;
  if (status >= 400 && STACK.test(text)) return `${status} tells of the program: ${shown}`;
  if (MISTAKE.test(text)) return `${status} ${shown}`;
  if (!isJson || body.length === 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(utf8.decode(body));
    return status >= 400 && !isError(parsed) ? `${status} is no error as published: ${shown}` : undefined;
  } catch {
    return `${status} is not JSON in UTF-8: ${shown}`;
  }
}

function isError(body: unknown): boolean {
  const { message, errors, ...rest } = (body ?? {}) as { message?: unknown; errors?: unknown };
  return typeof message === 'string' && Array.isArray(errors) && Object.keys(rest).length === 0;
}
