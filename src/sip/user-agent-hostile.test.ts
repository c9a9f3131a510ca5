// Nothing a peer sends throws, or leaves anything behind: real messages of a call, damaged at random, are thrown at both sides of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serialise } from './serialise.ts';
import { createStage, SDP } from './user-agent.rig.ts';
import type { Session, SessionEvents } from './user-agent-api.ts';

type Damage =
  | { readonly kind: 'drop line'; readonly at: number }
  | { readonly kind: 'double line'; readonly at: number }
  | { readonly kind: 'value'; readonly at: number; readonly value: string }
  | { readonly kind: 'byte'; readonly at: number; readonly byte: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'method'; readonly value: string };

const hostile = [
  '',
  ' ',
  ';',
  ',',
  '<',
  '>',
  '"',
  '<<sip:x>>',
  'sip:',
  '*',
  '-1',
  '99999999999',
  '0',
  ';tag=',
  ';tag=a;tag=b',
  '%00',
  'SIP/2.0/UDP',
  'SIP/2.0/UDP :;branch=',
  '2147483648 INVITE',
  '1 BYE',
  'Digest ',
  'a'.repeat(5_000),
  '\u0000',
  '\ud800',
  '__proto__',
];
const methods = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'INFO', 'PRACK', 'UPDATE', 'constructor', 'SIP/2.0', ''];

const at = fc.nat(2_000);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('drop line' as const), at }),
  fc.record({ kind: fc.constant('double line' as const), at }),
  fc.record({ kind: fc.constant('value' as const), at, value: fc.constantFrom(...hostile) }),
  fc.record({ kind: fc.constant('byte' as const), at, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('cut' as const), at }),
  fc.record({ kind: fc.constant('method' as const), value: fc.constantFrom(...methods) }),
);

function damaged(bytes: Uint8Array, done: Damage): Buffer {
  const copy = Buffer.from(bytes);
  if (done.kind === 'byte') {
    copy[done.at % copy.length] = done.byte;
    return copy;
  }
  if (done.kind === 'cut') return copy.subarray(0, done.at % copy.length);
  const lines = copy.toString('latin1').split('\r\n');
  if (done.kind === 'method') lines[0] = `${done.value} ${(lines[0] ?? '').split(' ').slice(1).join(' ')}`;
  else {
    const index = done.at % lines.length;
    const line = lines[index] ?? '';
    if (done.kind === 'drop line') lines.splice(index, 1);
    else if (done.kind === 'double line') lines.splice(index, 0, line);
    else lines[index] = `${line.split(':')[0]}: ${done.value}`;
  }
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

const attack = fc.record({
  side: fc.constantFrom('alice' as const, 'bob' as const),
  message: fc.nat(30),
  damages: fc.array(damage, { maxLength: 3 }),
});

const polite: SessionEvents = {
  onReinvite: (_, request) => request.respond(200, { body: SDP }),
  onRequest: (_, request) => request.respond(200),
};

describe('a hostile peer', () => {
  it('makes nothing throw and leaves nothing behind', () => {
    fc.assert(
      fc.property(fc.array(attack, { maxLength: 20 }), (attacks) => {
        const sessions: Session[] = [];
        const onInvite = (session: Session) => {
          sessions.push(session);
          session.events = polite;
          session.provisional(180);
          session.accept(SDP);
        };
        const events = { onInvite, onRequest: (request: { respond(status: number): void }) => request.respond(200) };
        const stage = createStage({ alice: { events }, bob: { events } });
        const alice = stage.call({ events: polite });
        sessions.push(alice);
        stage.clock.settle();
        alice.reinvite(SDP, () => {});
        alice.request('INFO', { body: 'Signal=1', contentType: 'application/dtmf-relay' });
        stage.clock.settle();
        for (const { side, message, damages } of attacks) {
          const original = stage.sent[message % stage.sent.length];
          if (original === undefined) continue;
          const bytes = damages.reduce<Uint8Array>(
            (text, done) => (text.length === 0 ? text : damaged(text, done)),
            serialise(original),
          );
          (side === 'alice' ? stage.aliceFlow : stage.bobFlow).send(bytes);
          stage.clock.settle();
        }
        for (const session of sessions) session.end();
        stage.at(600_000);
        for (const session of sessions) session.end();
        stage.at(1_200_000);
        expect(sessions.every(({ state }) => state === 'terminated')).toBe(true);
        expect(stage.clock.pending()).toEqual([]);
        expect(stage.alice.stats).toEqual({
          clientTransactions: 0,
          serverTransactions: 0,
          sessions: 0,
          subscriptions: 0,
        });
        expect(stage.bob.stats).toEqual({
          clientTransactions: 0,
          serverTransactions: 0,
          sessions: 0,
          subscriptions: 0,
        });
      }),
      { numRuns: 300 },
    );
  });
});
