// From what a client writes to what is stored: read names, read types, nothing as its empty value. Knows no request.
import { type ResourceId, resources } from '../../contract/resources.ts';
import { toRead, twinOf } from '../../contract/twins.ts';
import { parseUtc, utcText } from '../../kernel/time.ts';
import { emptyValue, isMoment } from './empty-record.ts';
import type { Members } from './rules.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
}

/**
 * The members of a body that the resource stores, in their read form; `ddis` stays as it is, it is stored with the numbers.
 * What the resource does not have is left out (CHOICE-UNKNOWN-MEMBERS). The body fits its schema.
 */
export function readForm(resource: ResourceId, body: object): Members {
  const { schema, kept } = resources[resource];
  const properties = { ...schema.properties, ...kept?.properties } as Readonly<Record<string, Schema>>;
  const members: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const twin = twinOf(resource, written);
    // Of both names of a twin the written one counts (CHOICE-TWINS).
    if (twin !== undefined && written !== twin.written && given(body, twin.written)) continue;
    const name = twin !== undefined && !Object.hasOwn(properties, written) ? twin.read : written;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) members[name] = typed(property, twin === undefined ? value : toRead(twin, value));
    else if (written === 'ddis') members.ddis = value;
  }
  return members;
}

function given(body: object, name: string): boolean {
  return Object.hasOwn(body, name) && (body as Members)[name] !== undefined;
}

function typed(schema: Schema, value: unknown): unknown {
  const types = [schema.type ?? []].flat();
  if (value === null) return emptyValue(schema);
  if (types.includes('string')) return typeof value === 'string' ? readText(schema, value) : textOf(value);
  return value;
}

/** A moment in any of its written forms becomes a timestamp: CHOICE-REPORT-DATES. */
function readText(schema: Schema, text: string): string {
  if (!isMoment(schema)) return text;
  const ms = parseUtc(text);
  return ms === undefined ? text : utcText(ms);
}

/** Any JSON value as text: CHOICE-UNTYPED. */
function textOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
