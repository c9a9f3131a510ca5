// The transaction tables against the RFC's words: closed, ended by silence, one final response, whatever order things come in.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timeline } from '../kernel/timeline.ts';
import type { Flow } from './flow.ts';
import { Headers } from './headers.ts';
import { memoryPair } from './memory-flow.ts';
import { NO_BODY, type SipMessage, type SipRequest, type SipResponse } from './message.ts';
import { ClientTransaction, type TransactionHost } from './transaction-client.ts';
import { readArrival } from './transaction-match.ts';
import { ServerTransaction } from './transaction-server.ts';
import { INVITE_CLIENT, INVITE_SERVER, NON_INVITE_CLIENT, NON_INVITE_SERVER } from './transaction-tables.ts';

/** The tables, whatever their states and inputs are called. */
type AnyMachine = Readonly<Record<string, Readonly<Record<string, { to: string; effects: readonly string[] }>>>>;

const machines = { INVITE_CLIENT, NON_INVITE_CLIENT, INVITE_SERVER, NON_INVITE_SERVER } as Readonly<
  Record<string, AnyMachine>
>;

describe('the tables', () => {
  it.each(Object.entries(machines))('%s leads only to states that it has, and all lead to the end', (_, machine) => {
    const rows = Object.entries(machine).flatMap(([state, inputs]) =>
      Object.values(inputs).map((row) => [state, row.to] as const),
    );
    const states = new Set(rows.map(([from]) => from));
    for (const [, to] of rows) expect(to === 'terminated' || states.has(to)).toBe(true);
    const ending = new Set(['terminated']);
    for (const _state of states) for (const [from, to] of rows) if (ending.has(to)) ending.add(from);
    expect([...states].filter((state) => !ending.has(state))).toEqual([]);
  });

  it.each(Object.entries(machines))('%s stops every timer when it is ended from outside', (_, machine) => {
    for (const inputs of Object.values(machine)) {
      for (const [input, row] of Object.entries(inputs)) {
        if (input === 'abandon' || input === 'transport error') expect(row.effects).toContain('stop timers');
      }
    }
  });
});

/** A world of one transaction: what it sent, whether it finished and was forgotten, and how often. */
interface World extends TransactionHost {
  readonly clock: Timeline;
  readonly flow: Flow;
  readonly sent: SipMessage[];
  finishedTimes: number;
  forgottenTimes: number;
}

function world(reliable: boolean): World {
  const clock = new Timeline({ mode: 'manual', startMs: 0 });
  const address = { host: '192.0.2.1', port: 5060 };
  const [flow] = memoryPair({ clock, transport: 'UDP', reliable, ends: [{ address }, { address }] });
  const sent: SipMessage[] = [];
  return {
    clock,
    flow,
    sent,
    finishedTimes: 0,
    forgottenTimes: 0,
    transmit: (_flow, message) => void sent.push(message),
    finished() {
      this.finishedTimes += 1;
    },
    forget() {
      this.forgottenTimes += 1;
    },
  };
}

function requestOf(method: string): SipRequest {
  const headers = Headers.of([
    ['Via', 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1'],
    ['From', '<sip:a@x>;tag=1'],
    ['To', '<sip:b@x>'],
    ['Call-ID', 'c'],
    ['CSeq', `1 ${method}`],
  ]);
  return { kind: 'request', method, uri: 'sip:b@x', headers, body: NO_BODY };
}

function responseOf(status: number): SipResponse {
  return { kind: 'response', status, reason: '', headers: Headers.of([['To', '<sip:b@x>;tag=2']]), body: NO_BODY };
}

const status = fc.constantFrom(100, 180, 183, 200, 202, 302, 404, 486, 603);
const pause = fc.constantFrom(0, 0, 100, 500, 4_000, 33_000);

describe('a client transaction', () => {
  it('tells exactly one outcome, or the end of its flow, and is forgotten once', () => {
    const input = fc.oneof(status, fc.constant('close' as const));
    const inputs = fc.array(fc.tuple(pause, input), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom('INVITE', 'BYE'), fc.boolean(), inputs, (method, reliable, list) => {
        const w = world(reliable);
        const heard: number[] = [];
        const failures: string[] = [];
        const user = {
          response: (response: SipResponse) => void heard.push(response.status),
          failed: (why: string) => void failures.push(why),
        };
        const transaction = new ClientTransaction(w, requestOf(method), w.flow, 'z9hG4bK1', user, undefined);
        transaction.start();
        for (const [ms, what] of list) {
          w.clock.advanceTo(w.clock.now() + ms);
          if (what === 'close') transaction.flowClosed();
          else transaction.receive(responseOf(what));
        }
        w.clock.advanceTo(w.clock.now() + 200_000);
        if (transaction.state === 'proceeding') transaction.abandon();
        const finals = heard.filter((code) => code >= 200);
        const first = finals[0] ?? 0;
        // Only an INVITE hears more than one final response, and then nothing but 2xx (RFC 6026, 7.2).
        if (method === 'INVITE' && first < 300) expect(finals.every((code) => code < 300)).toBe(true);
        else expect(finals.length).toBeLessThanOrEqual(1);
        expect(failures.length + (first === 0 ? 0 : 1)).toBeLessThanOrEqual(1);
        expect([w.finishedTimes, w.forgottenTimes]).toEqual([1, 1]);
        expect(w.clock.pending()).toEqual([]);
        const acks = w.sent.filter((message) => message.kind === 'request' && message.method === 'ACK');
        expect(acks.length > 0).toBe(method === 'INVITE' && first >= 300);
        if (reliable) expect(w.sent.length - acks.length).toBe(1);
      }),
    );
  });
});

describe('a server transaction', () => {
  it('sends one final response, repeats only the last one, and is forgotten once', () => {
    const input = fc.oneof(status, fc.constantFrom('copy' as const, 'ACK' as const, 'close' as const));
    const inputs = fc.array(fc.tuple(pause, input), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom('INVITE', 'INFO'), fc.boolean(), inputs, (method, reliable, list) => {
        const w = world(reliable);
        const request = requestOf(method);
        const arrival = readArrival(request, w.flow, new Uint8Array());
        if (arrival === undefined) throw new Error('no Via');
        const transaction = new ServerTransaction(w, request, arrival, undefined);
        for (const [ms, what] of list) {
          w.clock.advanceTo(w.clock.now() + ms);
          if (what === 'close') transaction.flowClosed('closed');
          else if (what === 'copy') transaction.requestAgain();
          else if (what === 'ACK') transaction.acknowledged(requestOf('ACK'));
          else transaction.respond(responseOf(what));
        }
        w.clock.advanceTo(w.clock.now() + 200_000);
        const open = transaction.state === 'trying' || transaction.state === 'proceeding';
        if (open) transaction.abandon();
        const codes = w.sent.map((message) => (message.kind === 'response' ? message.status : 0));
        const finals = new Set(codes.filter((code) => code >= 200));
        expect(finals.size).toBeLessThanOrEqual(1);
        const firstFinal = codes.findIndex((code) => code >= 200);
        if (firstFinal >= 0) expect(codes.slice(firstFinal).every((code) => code >= 200)).toBe(true);
        expect([w.finishedTimes, w.forgottenTimes]).toEqual([1, 1]);
        expect(w.clock.pending()).toEqual([]);
      }),
    );
  });
});
