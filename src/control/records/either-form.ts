// Members of records in either of their forms: a word or its number, digits as text or as a number, a list or its text. Knows no record.
import type { TProperties, TSchema } from 'typebox';
import {
  type CodeTable,
  chatStateCodes,
  ddiStatusCodes,
  destinationTypeCodes,
  faxStatusCodes,
  faxTypeCodes,
  monitorModeCodes,
  targetTypeCodes,
} from '../../contract/codes.ts';
import { type ResourceId, resources } from '../../contract/resources.ts';
import { array, code, either, integer, string, word } from '../../contract/schema.ts';
import { type TwinMapping, toRead, twinOf } from '../../contract/twins.ts';
import { readForm } from '../../store/records/read-form.ts';
import type { Members } from './record-kind.ts';

type Mappings = Readonly<Record<string, TwinMapping>>;

const wordFor = (codes: CodeTable): TwinMapping => ({ kind: 'word-to-code', codes });
const numberFor = (codes: CodeTable): TwinMapping => ({ kind: 'code-to-word', codes });

/** Coded members that the API only reads: it has no second form of them, the administration takes both. */
const onlyHere: Readonly<Partial<Record<ResourceId, Mappings>>> = {
  ddis: { target_type: wordFor(targetTypeCodes), status: wordFor(ddiStatusCodes) },
  faxes: { status: wordFor(faxStatusCodes), type: wordFor(faxTypeCodes) },
  chats: { state: wordFor(chatStateCodes) },
  users: {
    final_dst_type: numberFor(destinationTypeCodes),
    fm_final_dst_type: numberFor(destinationTypeCodes),
    monitor: numberFor(monitorModeCodes),
  },
};

/** So that no number is written with an exponent, and none that follows from it is infinite. */
const MAX = 2_147_483_647;

/** Texts of digits, by their pattern: they may be written as numbers. */
const digits: ReadonlyMap<string, TSchema> = new Map([
  ['^\\d+$', integer({ minimum: 0, maximum: MAX })],
  ['^(\\d{4})?$', integer({ minimum: 1000, maximum: 9999 })],
]);

/** Seconds and bytes, never below zero. */
const MEASURED = /(^|_)duration$|^billsec$|^size$|_time$/;

/** The schemas of read members, each open to its other form. */
export function inEitherForm(resource: ResourceId, read: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(read).map(([name, schema]) => {
      const own = measured(name, schema);
      const other = otherForm(mappingOf(resource, name), own);
      return [name, other === undefined ? own : either(own, other)];
    }),
  );
}

/** The members as they are stored. */
export function inReadForm(resource: ResourceId, members: Members): Members {
  const mappings = onlyHere[resource] ?? {};
  const own = Object.entries(members).map(([name, value]) => {
    const mapping = Object.hasOwn(mappings, name) ? mappings[name] : undefined;
    return [name, mapping === undefined ? value : toRead({ resource, written: name, read: name, mapping }, value)];
  });
  return readForm(resource, Object.fromEntries(own));
}

/** Published and kept members, and those that are written by another name, in all of their forms. */
export function writtenForms(resource: ResourceId, required: readonly string[]): TProperties {
  const { schema, kept, writable } = resources[resource];
  const read = inEitherForm(resource, { ...schema.properties, ...kept?.properties });
  const { properties = {} } = (writable ?? {}) as { readonly properties?: TProperties };
  const both = Object.entries(properties).map(([name, form]): [string, TSchema] => {
    const other = Object.hasOwn(read, name) ? read[name] : undefined;
    // What a record cannot do without must say something, as the API asks.
    return [name, other === undefined || required.includes(name) ? form : either(other, form)];
  });
  return { ...read, ...Object.fromEntries(both) };
}

function mappingOf(resource: ResourceId, name: string): TwinMapping | undefined {
  const mapping = onlyHere[resource]?.[name];
  if (mapping !== undefined) return mapping;
  const twin = twinOf(resource, name);
  return twin?.read === name ? twin.mapping : undefined;
}

function otherForm(mapping: TwinMapping | undefined, schema: TSchema): TSchema | undefined {
  switch (mapping?.kind) {
    case 'word-to-code':
      return word(mapping.codes.words);
    case 'code-to-word':
      return code(Object.values(mapping.codes.codes));
    case 'number-to-text':
      return integer({ minimum: 0, maximum: MAX });
    case 'text-to-list':
      return string();
    case 'list-to-text':
      return array(string(), { maxItems: 1000 });
    default:
      return digits.get((schema as { readonly pattern?: string }).pattern ?? '');
  }
}

function measured(name: string, schema: TSchema): TSchema {
  const { type } = schema as { readonly type?: string };
  return type === 'integer' && MEASURED.test(name) ? { ...schema, minimum: 0, maximum: MAX } : schema;
}
