// The journal's two entries for each request, secrets removed. Knows no handler.
import type { Journal, JournalData, Json } from '../kernel/journal.ts';
import type { Caller } from './request.ts';

/** Bodies and queries up to this many characters of JSON are journalled, and so much of a path. */
const CHARACTERS_IN_JOURNAL = 1024;
const secretName = /password|token|secret|code|nonce|key|authorization/i;
const REMOVED = '[removed]';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly operation: string | null;
  readonly caller: Caller | undefined;
  readonly body: unknown;
}

/** `rest.request`; the result is its sequence, the cause of what follows. */
export function recordRequest(journal: Journal, asked: Asked): number {
  const { method, path, operation, caller, query, body } = asked;
  const data: Record<string, Json> = {
    method,
    path: ownText(path.slice(0, CHARACTERS_IN_JOURNAL)),
    operation,
    user_id: caller?.user.id ?? null,
  };
  if (query.size > 0) data.query = brief(Object.fromEntries(query));
  if (body !== undefined) data.body = brief(body as Json);
  return journal.append('rest.request', { customerId: caller?.customerId ?? null, data });
}

/** `rest.response`, caused by the request; the result is its sequence. */
export function recordResponse(
  journal: Journal,
  request: number,
  asked: Pick<Asked, 'operation' | 'caller'>,
  status: number,
  callId: number | undefined,
): number {
  const customerId = asked.caller?.customerId ?? null;
  if (callId !== undefined && customerId !== null) journal.assign(request, callId, customerId);
  const data: JournalData = { status, operation: asked.operation, user_id: asked.caller?.user.id ?? null };
  return journal.append('rest.response', { cause: request, customerId, callId: callId ?? null, data });
}

/** A part of a text keeps the whole alive, which may be a long query: this is a text of its own. */
function ownText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

function brief(value: Json): Json {
  const characters = JSON.stringify(value).length;
  return characters > CHARACTERS_IN_JOURNAL ? { characters } : withoutSecrets(value);
}

function withoutSecrets(value: Json | undefined): Json {
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one]) => [name, secretName.test(name) ? REMOVED : withoutSecrets(one)]),
  );
}
