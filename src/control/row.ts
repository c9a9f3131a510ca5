// What one operation of the control API is, as data: routing, validation and the OpenAPI document all come from its row.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { Result } from '../kernel/errors.ts';
import type { ControlDeps } from './deps.ts';

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The one answer that is neither success nor failure of the request: nothing happened in time (408). */
export const TIMED_OUT = { ok: 'timed out' } as const;

/** A success that is text for people. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A success that is a file. */
export class FileAnswer {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly name: string;

  constructor(bytes: Uint8Array, type: string, name: string) {
    this.bytes = bytes;
    this.type = type;
    this.name = name;
  }
}

export type Outcome = Result<unknown> | typeof TIMED_OUT;

export interface Input<Q = unknown, B = unknown> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** Calls `fn` when the requester has gone away before the answer. */
  readonly onGone: (fn: () => void) => void;
}

export interface ControlRow {
  readonly id: string;
  readonly method: ControlMethod;
  /** After `/_sim`: `/phones/{ext}`. */
  readonly path: string;
  readonly summary: string;
  /** Object schema of the query parameters. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** A request without a body is good too. */
  readonly mayLackBody?: true;
  readonly success: number;
  /** What a success carries; none with 204. */
  readonly answer?: TSchema;
  /** A success may be plain text instead, as the query asks. */
  readonly alsoText?: true;
  /** A success is a file of that media type. */
  readonly file?: string;
  /** Failures that the operation itself can give. */
  readonly errors: readonly number[];
  handle(input: Input, deps: ControlDeps): Outcome | Promise<Outcome>;
  /** Takes over the response: for what does not end. */
  readonly stream?: (input: Input, request: IncomingMessage, response: ServerResponse, deps: ControlDeps) => void;
}

type RowFacts<Q extends TSchema, B extends TSchema> = Omit<ControlRow, 'handle' | 'stream' | 'query' | 'body'> & {
  readonly query?: Q;
  readonly body?: B;
  handle(input: Input<Static<Q>, Static<B>>, deps: ControlDeps): Outcome | Promise<Outcome>;
};

/** A row whose handler sees its query and body in the types of their schemas. */
export function row<Q extends TSchema = TUnknown, B extends TSchema = TUnknown>(facts: RowFacts<Q, B>): ControlRow {
  return facts as unknown as ControlRow;
}

/** The id that a path names; NaN, which no record has, when it is not one. */
export function idIn(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
}
