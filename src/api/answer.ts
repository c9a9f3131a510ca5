// From an outcome to a status, a JSON text and headers: envelopes, errors, CORS. Knows no handler.
import type { Operation, ResponseShape } from '../contract/operation.ts';
import { BrokenInvariant, type Failure, httpStatuses } from '../kernel/errors.ts';
import { challenge } from './authenticate.ts';
import { byteRangeOf } from './byte-range.ts';
import type { PageWriter } from './page-json.ts';
import { published, publishedPage } from './published.ts';
import type { FileContent, Outcome, Reply } from './request.ts';

export interface Answer {
  readonly status: number;
  /** Undefined: no body at all. */
  readonly json?: string;
  /** A body that is no JSON. */
  readonly file?: Omit<FileContent, 'name'> & { readonly mediaType: string };
  /** Header names and values in turn. */
  readonly headers?: readonly string[];
}

const allowOrigin = 'Access-Control-Allow-Origin';
const corsForAll = ['Access-Control-Expose-Headers', 'Location, WWW-Authenticate'] as const;
const anyOrigin = [allowOrigin, '*', ...corsForAll] as const;

/** The part of a sound that was asked for: 206, or 416 when it has no such bytes (CHOICE-RANGES; RFC 9110, 14 and 15.5.17). */
export function partOf(answer: Answer, asked: string | undefined): Answer {
  const { content, mediaType = '' } = answer.file ?? {};
  if (answer.file === undefined || !mediaType.startsWith('audio/') || !(content instanceof Uint8Array)) return answer;
  const headers = [...(answer.headers ?? []), 'Accept-Ranges', 'bytes'];
  const range = byteRangeOf(asked, content.length);
  if (range === undefined) return { ...answer, headers };
  if (range === 'unsatisfiable') {
    const { json } = statusAnswer(416, `The file has ${content.length} bytes, and none of those that Range asks for.`);
    const refused = ['Accept-Ranges', 'bytes', 'Content-Range', `bytes */${content.length}`];
    return { status: 416, ...(json === undefined ? {} : { json }), headers: refused };
  }
  const { first, last } = range;
  return {
    status: 206,
    file: { ...answer.file, content: content.subarray(first, last + 1) },
    headers: [...headers, 'Content-Range', `bytes ${first}-${last}/${content.length}`],
  };
}

export function answerOf(operation: Operation, outcome: Outcome, pages: PageWriter): Answer {
  if (!outcome.ok) return errorAnswer(outcome.failure);
  const [status = 200] = operation.success;
  const { response } = operation;
  const { page, links } = outcome.value;
  if (response.kind === 'collection' && page !== undefined)
    return { status, json: pages.write(publishedPage(response.resource, page)) };
  if (response.kind === 'file') return fileAnswer(status, response, outcome.value);
  const body = envelope(response, outcome.value);
  if (body === undefined) return { status };
  const self = status === 201 ? links?.self : undefined;
  const json = JSON.stringify(body);
  return self === undefined ? { status, json } : { status, json, headers: ['Location', self] };
}

/** `{message, errors}` with the status of the failure's kind. */
export function errorAnswer({ kind, message, details }: Failure, headers: readonly string[] = []): Answer {
  const status = httpStatuses[kind];
  const more = status === 401 ? ['WWW-Authenticate', challenge, ...headers] : headers;
  return { status, json: errorJson(message, details), headers: more };
}

/** `{message, errors}` with any error status. */
export function statusAnswer(status: number, message: string): Answer {
  const json = errorJson(message, [message]);
  return status === 401 ? { status, json, headers: ['WWW-Authenticate', challenge] } : { status, json };
}

export function errorJson(message: string, errors: readonly string[]): string {
  return JSON.stringify({ message, errors });
}

/** The answer to OPTIONS: any origin, any method, no credentials needed (CHOICE-CORS). */
export function preflight(allow: string): Answer {
  return {
    status: 204,
    headers: [
      'Allow',
      allow,
      'Access-Control-Allow-Methods',
      'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type',
      'Access-Control-Max-Age',
      '86400',
    ],
  };
}

/** The CORS headers that every answer carries. */
export function corsHeaders(origin: string | undefined): readonly string[] {
  if (origin === undefined || !/^[!-~]{1,255}$/.test(origin)) return anyOrigin;
  return [allowOrigin, origin, 'Vary', 'Origin', ...corsForAll];
}

function fileAnswer(status: number, shape: ResponseShape & { kind: 'file' }, { file }: Reply): Answer {
  const { content, pieces, name } = file ?? missing(shape);
  const isText = typeof content === 'string';
  const mediaType = isText ? `${shape.mediaType}; charset=utf-8` : shape.mediaType;
  const disposition = `${isText && pieces === undefined ? 'inline' : 'attachment'}; filename="${name}"`;
  return {
    status,
    file: { mediaType, content, ...(pieces === undefined ? {} : { pieces }) },
    headers: ['Content-Disposition', disposition],
  };
}

function envelope(shape: ResponseShape, reply: Reply): object | undefined {
  switch (shape.kind) {
    case 'list-single':
      return { data: [published(shape.resource, reply.record ?? missing(shape))], total: 1 };
    case 'single':
      return { data: published(shape.resource, reply.record ?? missing(shape)), links: reply.links ?? {} };
    case 'sub-collection': {
      const { items, total } = publishedPage(shape.items, reply.page ?? missing(shape));
      const owner = published(shape.owner, reply.record ?? missing(shape));
      return { data: { ...owner, items, total }, links: reply.links ?? {} };
    }
    case 'message':
      return reply.flat ?? missing(shape);
    case 'empty':
      return undefined;
    case 'collection':
    case 'file':
      return missing(shape);
  }
}

function missing(shape: ResponseShape): never {
  throw new BrokenInvariant(
    `a reply does not fit the response shape ${shape.kind}`,
    'the handler gave other members',
    'use the function of request.ts that makes this shape',
  );
}
