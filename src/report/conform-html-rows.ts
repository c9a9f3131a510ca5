// The rows of the HTML report's timeline: requests, deliveries to webhooks, SIP messages at phones, each with its bytes. Pure.
import type { ConformRun, Exchange, ReceivedDelivery, SipMessageSeen } from './conform-results.ts';
import { curlOf } from './conform-story.ts';

/** Of a body, what the page shows. */
const SHOWN_CHARACTERS = 20_000;

export interface Row {
  readonly kind: 'request' | 'webhook' | 'sip';
  /** Unique on the page: `12`, `w3`, `s7`. */
  readonly seq: string;
  readonly at: number;
  readonly ms: number;
  readonly line: string;
  readonly operation: string;
  readonly status: number;
  /** What is shown on a click, part by part. */
  readonly parts: ReadonlyArray<readonly [title: string, text: string]>;
}

/** In the order in which they went. */
export function rowsOf({ exchanges, deliveries = [], messages = [] }: ConformRun): Row[] {
  const rows = [...exchanges.map(ofExchange), ...deliveries.map(ofDelivery), ...messages.map(ofMessage)];
  return rows.sort((one, other) => one.at - other.at);
}

function ofExchange(one: Exchange): Row {
  const { seq, atMs, ms, operation = '', request, response, error } = one;
  const path = request.url.replace(/^https?:\/\/[^/]*/, '');
  const received =
    response === undefined
      ? (error ?? 'no answer')
      : bytesOf(`${response.status}`, headerLines(response.headers), response.body);
  return {
    ...{ kind: 'request', seq: String(seq), at: atMs, ms, operation, status: response?.status ?? 0 },
    line: `#${seq} ${request.method} ${cut(path, 120)} → ${response?.status ?? error ?? 'no answer'}`,
    parts: [
      ['Sent', bytesOf(`${request.method} ${request.url}`, headerLines(request.headers), request.body ?? '')],
      [`Received after ${Math.round(ms)} ms`, received],
      ['Again', cut(curlOf(one), SHOWN_CHARACTERS)],
    ],
  };
}

function ofDelivery({ seq, webhook, event, isTest, path, headers, body, answer, flaws, atMs }: ReceivedDelivery): Row {
  const name = isTest ? 'test' : event || 'no event name';
  return {
    ...{ kind: 'webhook', seq: `w${seq}`, at: atMs, ms: 0, operation: '', status: 0 },
    line: `webhook ${seq} ${cut(webhook, 40)}: ${cut(name, 80)} → ${answer}`,
    parts: [
      ['Received', bytesOf(`POST ${path}`, headerLines(headers), body)],
      ['Answered', answer],
      ...(flaws.length === 0 ? [] : [['Not as the contract says', flaws.join('\n')] as const]),
    ],
  };
}

function ofMessage({ seq, phone, direction, line, text, atMs }: SipMessageSeen): Row {
  const arrow = direction === 'sent' ? '→' : '←';
  return {
    ...{ kind: 'sip', seq: `s${seq}`, at: atMs, ms: 0, operation: '', status: 0 },
    line: `SIP ${seq} ${cut(phone, 40)} ${arrow} ${cut(line, 80)}`,
    parts: [[direction === 'sent' ? 'Sent' : 'Received', cut(text, SHOWN_CHARACTERS)]],
  };
}

function headerLines(headers: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
}

function bytesOf(start: string, headers: readonly string[], body: string): string {
  return [start, ...headers, '', cut(body, SHOWN_CHARACTERS)].join('\n');
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
