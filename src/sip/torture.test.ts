// The torture messages of RFC 4475 (fixtures/sip/torture), each with what is owed to it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contactsOf, cseqOf, fromOf, toOf, topVia } from './fields.ts';
import { splitList } from './header-lists.ts';
import type { SipMessage } from './message.ts';
import { parseMessage } from './parse.ts';
import { parseUri } from './uri.ts';
import { type Knowledge, validateRequest, validateResponse } from './validate.ts';
import { parseVia } from './via.ts';

const folder = new URL('../../fixtures/sip/torture/', import.meta.url);

const EXCHANGE: Knowledge = {
  methods: ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'REGISTER', 'MESSAGE'],
  extensions: ['replaces'],
  contentTypes: ['application/sdp', 'multipart/mixed'],
};

/** `taken`: in order. A number: the status owed to the request. `dropped`: a response that is not for us or is broken. */
const OUTCOMES: Readonly<Record<string, number | 'taken' | 'dropped'>> = {
  // 3.1.1: unusual but in order
  wsinv: 'taken',
  intmeth: 405,
  esc01: 'taken',
  escnull: 'taken',
  esc02: 405,
  lwsdisp: 'taken',
  longreq: 'taken',
  dblreq: 'taken',
  semiuri: 'taken',
  transports: 'taken',
  mpart01: 'taken',
  unreason: 'taken',
  noreason: 'taken',
  // 3.1.2: broken
  badinv01: 400,
  clerr: 400,
  ncl: 400,
  scalar02: 400,
  scalarlg: 'dropped',
  quotbal: 400,
  ltgtruri: 400,
  lwsruri: 400,
  lwsstart: 400,
  trws: 400,
  escruri: 400,
  // Nobody here reads Date, so it is not judged.
  baddate: 'taken',
  regbadct: 400,
  badaspec: 400,
  baddn: 400,
  badvers: 505,
  mismatch01: 400,
  mismatch02: 400,
  bigcode: 'dropped',
  // 3.2 and 3.3: the transaction and the application
  badbranch: 400,
  insuf: 400,
  unkscm: 416,
  novelsc: 416,
  // Whose address of record it is, the registrar says.
  unksm2: 'taken',
  bext01: 420,
  invut: 415,
  // No Digest credentials: the registrar will challenge.
  regaut01: 'taken',
  multi01: 400,
  mcl01: 400,
  bcast: 'dropped',
  // Nothing is passed on, so no hop is lacking.
  zeromf: 'taken',
  cparam01: 'taken',
  cparam02: 'taken',
  regescrt: 'taken',
  sdp01: 406,
  // 3.4: from before RFC 3261
  inv2543: 'taken',
};

describe('the torture messages of RFC 4475', () => {
  it('are all there', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.dat'));
    expect(files.map((file) => file.slice(0, -4)).sort()).toEqual(Object.keys(OUTCOMES).sort());
    expect(files).toHaveLength(49);
  });

  it.each(Object.entries(OUTCOMES))('%s: %s', (name, outcome) => {
    const message = torture(name);
    if (message.kind === 'request') {
      expect(validateRequest(message, EXCHANGE)?.status ?? 'taken').toBe(outcome);
    } else {
      expect(validateResponse(message) === undefined ? 'taken' : 'dropped').toBe(outcome);
    }
  });
});

describe('what they mean', () => {
  it('wsinv: folding and blanks everywhere', () => {
    const message = torture('wsinv');
    expect(toOf(message)?.params.get('tag')).toBe('1918181833n');
    expect(fromOf(message)).toEqual({
      displayName: 'J Rosenberg \\"',
      uri: 'sip:jdrosen@example.com',
      params: new Map([['tag', '98asjd8']]),
    });
    expect(cseqOf(message)).toEqual({ number: 9, method: 'INVITE' });
    expect(message.headers.get('Subject')).toBe('');
    expect(message.headers.get('NewFangledHeader')).toBe('newfangled value continued newfangled value');
    const vias = message.headers.all('Via').flatMap(splitList).map(parseVia);
    expect(vias.map((via) => [via?.transport, via?.host, via?.branch])).toEqual([
      ['UDP', '192.0.2.2', '390skdjuw'],
      ['TCP', 'spindle.example.com', 'z9hG4bK9ikj8'],
      ['UDP', '192.168.255.111', 'z9hG4bK30239'],
    ]);
    expect([...(contactsOf(message)?.[0]?.params ?? [])]).toEqual([
      ['newparam', 'newvalue'],
      ['secondparam', true],
      ['q', '0.33'],
    ]);
  });

  it('intmeth: a method that is almost INVITE, quoted controls, a name in UTF-8', () => {
    const message = torture('intmeth');
    expect(message.kind === 'request' && message.method).toBe("!interesting-Method0123456789_*+`.%indeed'~");
    expect(toOf(message)?.displayName).toBe('BEL:\u0007 NUL:\u0000 DEL:\u007f');
    expect(fromOf(message)?.params.get("fromparam''~+*_!.-%")).toBe('"работающий"');
    expect(topVia(message)?.branch).toBe("z9hG4bK-.!%66*_+`'~");
    const uri = message.kind === 'request' ? parseUri(message.uri) : undefined;
    expect(uri?.host).toBe('example.com');
    expect(uri?.password).toBe("&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
  });

  it('esc01 and escnull: escapes are undone in users, never in methods or headers', () => {
    expect(parseUri('sip:sips%3Auser%40example.com@example.net')).toMatchObject({
      user: 'sips:user@example.com',
      host: 'example.net',
    });
    expect(contactsOf(torture('esc01'))?.[0]?.uri).toBe(
      'sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31',
    );
    expect(parseUri('sip:null-%00-null@example.com')?.user).toBe('null-\u0000-null');
    expect(contactsOf(torture('escnull'))).toHaveLength(2);
    expect(contactsOf(torture('esc02'))).toHaveLength(2);
  });

  it('dblreq: a second request in the datagram is not part of the first', () => {
    const message = torture('dblreq');
    expect(message.kind === 'request' && message.method).toBe('REGISTER');
    expect(message.body).toHaveLength(0);
  });

  it('unreason and noreason: any reason phrase will do', () => {
    const odd = torture('unreason');
    const empty = torture('noreason');
    expect(odd.kind === 'response' && odd.reason).toBe('= 2**3 * 5**2 но сто девяносто девять - простое');
    expect(odd.body).toHaveLength(154);
    expect(empty.kind === 'response' && [empty.status, empty.reason]).toEqual([100, '']);
  });

  it('mpart01: a binary body comes through byte by byte', () => {
    const { body } = torture('mpart01');
    const start = Buffer.from(body).indexOf(Buffer.from([0, 1, 2, 3]));
    expect([...body.subarray(start, start + 256)]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
  });

  it('names what is not supported and what would be', () => {
    expect(refusalOf('bext01')?.headers).toEqual([['Unsupported', 'nothingSupportsThis, nothingSupportsThisEither']]);
    expect(refusalOf('invut')?.headers).toEqual([['Accept', 'application/sdp, multipart/mixed']]);
    expect(refusalOf('esc02')?.headers).toEqual([['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, REGISTER, MESSAGE']]);
    expect(refusalOf('insuf')?.reason).toBe('Missing From');
  });
});

function torture(name: string): SipMessage {
  const result = parseMessage(readFileSync(new URL(`${name}.dat`, folder)));
  if (!result.ok) throw new Error(`${name}: ${result.why}`);
  return result.message;
}

function refusalOf(name: string) {
  const message = torture(name);
  return message.kind === 'request' ? validateRequest(message, EXCHANGE) : undefined;
}
