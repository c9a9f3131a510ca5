// The witness's facts of the specification as typed data, and how published types read as JSON types. Knows no contract.
import { readFileSync } from 'node:fs';

/** Member name to published type; see fixtures/spec/README.md for the words. */
export type Members = Readonly<Record<string, string>>;

export interface OperationFact {
  readonly module: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly success: readonly number[];
  readonly errors: readonly number[];
  readonly statusPublishedAsUnknown?: true;
  readonly body: Members | 'not shown' | null;
  /** Body members that the specification marks as optional. */
  readonly optional?: readonly string[];
  readonly cannotChange?: readonly string[];
  readonly furtherMembersNotShown?: true;
  readonly bulk: boolean;
  readonly query: readonly string[];
  readonly collectionQueryUnsettled?: true;
  readonly envelope: string;
  /** A second published envelope that contradicts the first. */
  readonly envelopeConflict?: string;
  readonly shape?: string;
  readonly members?: readonly string[];
}

export interface ResourceFact {
  readonly paths: readonly string[];
  readonly read: Members | 'not shown';
  readonly model?: Members;
  readonly writable?: Members;
  readonly writableByPart?: Readonly<Record<string, Members>>;
  readonly formats?: Members;
}

export interface EventFacts {
  readonly callAttributes: Members;
  readonly smsAttributes: Members;
  readonly nullable: readonly string[];
  readonly names: readonly string[];
  readonly states: readonly string[];
  readonly categories: readonly string[];
  readonly callStateChange: { readonly includes: readonly string[] };
  readonly contexts: Readonly<Record<'user' | 'queue', string>>;
  readonly destinations: readonly string[];
  readonly terminatedBy: readonly string[];
}

export interface RuleFacts {
  readonly root: { readonly versions: readonly string[]; readonly apiRoot: string };
  readonly deviations: readonly { readonly paths: readonly string[]; readonly published: Members }[];
  readonly fileSuffixes: readonly string[];
  readonly collectionQuery: Members;
  readonly filter: { readonly members: readonly string[]; readonly operators: readonly string[] };
  readonly limits: {
    readonly limitMaximum: number;
    readonly tokenInactivityMinutes: number;
    readonly keepAliveMinutes: number;
    readonly announcementUploadTypes: readonly string[];
  };
  readonly errorStatuses: Members;
  readonly successStatuses: readonly number[];
  readonly deprecated: readonly string[];
  readonly letters: Readonly<Record<string, Members>>;
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly openWords: readonly string[];
  readonly undefinedTypes: readonly string[];
  readonly notShown: readonly { readonly key: string; readonly where: string }[];
  readonly contradictions: readonly { readonly key: string; readonly where: string }[];
}

function facts<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../fixtures/spec/${name}.json`, import.meta.url), 'utf8')) as T;
}

export const operationFacts = facts<readonly OperationFact[]>('operations');
export const resourceFacts = facts<Readonly<Record<string, ResourceFact>>>('resources');
export const eventFacts = facts<EventFacts>('events');
export const ruleFacts = facts<RuleFacts>('rules');

/** The JSON type that a published type stands for; undefined where the specification gives none. */
export function jsonTypeOf(published: string): string | undefined {
  if (published === 'datetime' || published === 'date') return 'string';
  if (published === 'float') return 'number';
  return published === 'undefined' || published === 'untyped' ? undefined : published;
}

interface Keywords {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** The JSON types that a schema lets through, sorted; empty when it takes anything. */
export function typesIn(schema: unknown): readonly string[] {
  const { type, anyOf } = schema as Keywords;
  const all = anyOf === undefined ? [type ?? []].flat() : anyOf.flatMap(typesIn);
  return [...new Set(all)].sort();
}

/** The closed set of texts that a schema allows, whichever branch states it; undefined when any text will do. */
export function wordsIn(schema: unknown): readonly string[] | undefined {
  const { enum: words, anyOf } = schema as Keywords;
  if (words?.some((word) => typeof word === 'string')) return words.filter((word) => typeof word === 'string');
  return anyOf?.map(wordsIn).find((found) => found !== undefined);
}

/** The members of an object schema, or of the elements of an array schema. */
export function membersIn(schema: unknown): Readonly<Record<string, unknown>> {
  const { items, properties } = schema as Keywords;
  return items === undefined ? (properties ?? {}) : membersIn(items);
}

/** The members that an object schema, or an element of an array schema, must have. */
export function requiredIn(schema: unknown): readonly string[] {
  const { items, required } = schema as Keywords;
  return items === undefined ? (required ?? []) : requiredIn(items);
}
