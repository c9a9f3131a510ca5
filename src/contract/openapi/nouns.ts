// What an operation is about, as a noun: for sentences and for the words of its refusals. Knows no schema.

import type { Operation } from '../operation.ts';
import { type ResourceId, resources } from '../resources.ts';

/** The last noun of a name takes the plural: `SIP message of a call`. */
export function plural(name: string): string {
  const [head = name, ...rest] = name.split(' of ');
  return [pluralNoun(head), ...rest].join(' of ');
}

/** The name after `a` or `an`, as it is spoken. */
export function one(name: string): string {
  return `${/^([aeio]|IVR|SMS)/.test(name) ? 'an' : 'a'} ${name}`;
}

function pluralNoun(noun: string): string {
  if (noun === 'SMS' || noun.startsWith('music')) return noun;
  if (noun.endsWith('y')) return `${noun.slice(0, -1)}ies`;
  return noun.endsWith('x') ? `${noun}es` : `${noun}s`;
}

function isResource(text: string): text is ResourceId {
  return Object.hasOwn(resources, text);
}

/** The resource whose id the path carries, or else the one that the answer holds. */
export function subjectOf({ path, response }: Operation): ResourceId | undefined {
  const [before = '', after] = path.split('{');
  const segments = before.split('/').filter((segment) => segment !== '');
  const ofPath = [segments.join(''), segments.at(-1) ?? ''].find(isResource);
  if (after !== undefined && ofPath !== undefined) return ofPath;
  return 'resource' in response ? response.resource : ofPath;
}

/** The subject in words. The two that no resource describes are removed and never read. */
export function subjectName(operation: Operation): string {
  const subject = subjectOf(operation);
  if (subject !== undefined) return resources[subject].name;
  return operation.path.startsWith('/customers') ? 'customer' : 'statement';
}
