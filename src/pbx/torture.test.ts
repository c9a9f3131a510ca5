// The torture messages of RFC 4475 on a wire to the exchange: bytes in, what is owed out, while two people talk and notice nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memoryPair } from '../sip/memory-flow.ts';
import { parseMessage } from '../sip/parse.ts';
import { StreamFramer } from '../sip/stream-framer.ts';
import { stateOf, talking } from './company.rig.ts';
import { DOMAIN } from './exchange.rig.ts';

const folder = new URL('../../fixtures/sip/torture/', import.meta.url);

/**
 * What comes back, in order: 100 and the final status to an INVITE that is let in. 401 and 407 ask for the password: the message itself is in order.
 * Nothing comes back to a response, whether it can be read or not.
 */
const OWED: Readonly<Record<string, readonly number[]>> = {
  // 3.1.1: unusual but in order. A To tag names a dialog that there is none of.
  wsinv: [481],
  intmeth: [405],
  esc01: [100, 407],
  escnull: [401],
  esc02: [405],
  lwsdisp: [200],
  longreq: [100, 407],
  dblreq: [401],
  semiuri: [200],
  transports: [200],
  mpart01: [405],
  unreason: [],
  noreason: [],
  // 3.1.2: broken
  badinv01: [400],
  clerr: [400],
  ncl: [400],
  scalar02: [400],
  scalarlg: [],
  quotbal: [400],
  ltgtruri: [400],
  lwsruri: [400],
  lwsstart: [400],
  trws: [400],
  escruri: [400],
  baddate: [100, 407],
  regbadct: [400],
  badaspec: [400],
  baddn: [400],
  badvers: [505],
  mismatch01: [400],
  mismatch02: [400],
  bigcode: [],
  // 3.2 and 3.3: the transaction and the application
  badbranch: [400],
  insuf: [400],
  unkscm: [416],
  novelsc: [416],
  unksm2: [401],
  bext01: [420],
  invut: [415],
  regaut01: [401],
  multi01: [400],
  mcl01: [400],
  bcast: [],
  zeromf: [200],
  cparam01: [401],
  cparam02: [401],
  regescrt: [401],
  sdp01: [406],
  // 3.4: from before RFC 3261
  inv2543: [100, 407],
};

const names = Object.keys(OWED);

function stage() {
  const { rig, call, callId } = talking();
  const heard: number[] = [];
  const [wire, end] = memoryPair({
    clock: rig.clock,
    transport: 'UDP',
    reliable: false,
    ends: [
      {
        address: { host: '192.0.2.66', port: 5060 },
        listener: {
          received(_, bytes) {
            const parsed = parseMessage(bytes);
            if (parsed.ok && parsed.message.kind === 'response') heard.push(parsed.message.status);
          },
          closed() {},
        },
      },
      { address: { host: DOMAIN, port: 5060 }, listener: rig.exchange.listener },
    ],
  });
  const send = (bytes: Uint8Array): number[] => {
    heard.length = 0;
    wire.send(bytes);
    rig.pass(0);
    return [...heard];
  };
  return { rig, call, callId, send, end };
}

function bytesOf(name: string): Uint8Array {
  return readFileSync(new URL(`${name}.dat`, folder));
}

describe('the torture messages of RFC 4475, sent to the exchange', () => {
  it('are all there', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.dat'));
    expect(files.map((file) => file.slice(0, -4)).sort()).toEqual([...names].sort());
    expect(files).toHaveLength(49);
  });

  it.each(names)('%s gets what is owed, and the call of others goes on', (name) => {
    const { rig, call, callId, send } = stage();
    expect(send(bytesOf(name))).toEqual(OWED[name]);
    call.reoffer('sendonly');
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
    call.hangUp();
    rig.pass(100_000);
    expect(rig.exchange.stats).toMatchObject({ calls: 0, sessions: 0, clientTransactions: 0, serverTransactions: 0 });
  });

  it('one after the other leave nothing behind', () => {
    const { rig, call, send } = stage();
    for (const name of names) expect([name, ...send(bytesOf(name))]).toEqual([name, ...(OWED[name] ?? [])]);
    call.hangUp();
    rig.pass(100_000);
    expect(rig.exchange.stats).toMatchObject({ calls: 0, sessions: 0, clientTransactions: 0, serverTransactions: 0 });
    expect(rig.eventNames().at(-1)).toBe('call.hangup HANGUP');
  });

  it('come out of a byte stream whole, or close it', () => {
    for (const name of names) {
      const framer = new StreamFramer();
      const bytes = Buffer.from(bytesOf(name));
      const cut = [...bytes].flatMap((byte) => framer.push(Uint8Array.of(byte)));
      // What lies about its length on a stream cannot be told from what follows (RFC 3261, 18.3).
      const outcome = framer.failed === undefined ? 'goes on' : 'is closed';
      expect([name, outcome]).toEqual([name, CLOSED.has(name) ? 'is closed' : 'goes on']);
      if (!SHORT.has(name) && !CLOSED.has(name))
        expect([name, cut.length]).toEqual([name, cut.length > 0 ? cut.length : 1]);
    }
  });
});

/** Content-Length is negative, or there are two that differ. */
const CLOSED = new Set(['ncl', 'mcl01']);
/** More is promised than comes, so that the stream waits for the rest. */
const SHORT = new Set(['clerr']);
