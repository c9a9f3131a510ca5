// `${name}` in scenario documents: finding the references, putting values in. Knows no name.
import type { Path } from './problem.ts';

const REFERENCE = /\$\{([^}]*)\}/g;

export interface Reference {
  /** From the searched value. */
  readonly path: Path;
  readonly name: string;
}

/** Every reference in the strings of a value. */
export function referencesIn(value: unknown, path: Path = []): Reference[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, name = '']) => ({ path, name }));
  if (Array.isArray(value)) return value.flatMap((item, index) => referencesIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => referencesIn(item, [...path, name]));
}

/**
 * The value with references replaced by what `lookup` knows; those that it does not know (undefined) stay. A string that
 * is one reference becomes the value itself, number or object; otherwise values are written into the text.
 */
export function substitute(value: unknown, lookup: (name: string) => unknown): unknown {
  if (typeof value === 'string') return substituteText(value, lookup);
  if (Array.isArray(value)) return value.map((item) => substitute(item, lookup));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, substitute(item, lookup)]));
}

function substituteText(text: string, lookup: (name: string) => unknown): unknown {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return lookup(whole) ?? text;
  return text.replace(REFERENCE, (written, name: string) => {
    const found = lookup(name);
    if (found === undefined) return written;
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}
