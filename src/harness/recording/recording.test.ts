// A recording that no simulator made: whatever a journal says, a valid scenario comes of it, and what cannot be repeated is said.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadYaml } from '../language/load.ts';
import { JournalHeard, type RecordedEntry } from './journal-heard.ts';
import { rosterOf } from './roster.ts';
import { scenarioOf } from './scenario-of.ts';
import { scenarioText } from './scenario-text.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const person = (id: number, ext: string, role: string): object => ({
  id,
  customer_id_id: 1,
  ext,
  role,
  cli: `+4420794601${ext.slice(1)}`,
  email: `${role}@feest.example`,
  sip_username: `1-${ext}`,
  api_key: 'k'.repeat(40),
});
const roster = rosterOf(
  [
    person(10_000_001, '101', 'root'),
    person(10_000_002, '102', 'admin'),
    person(10_000_003, '103', 'agent'),
    person(10_000_004, '104', 'agent'),
  ],
  () => true,
);

let seq = 0;
function entry(kind: string, data: object, more: Partial<RecordedEntry> = {}): RecordedEntry {
  seq += 1;
  const at = new Date(START + seq * 100).toISOString();
  return { seq, at, kind, call_id: null, customer_id: 1, cause: null, data: data as RecordedEntry['data'], ...more };
}

interface Words {
  readonly from?: string;
  readonly to?: string;
  readonly id?: string;
  readonly more?: readonly string[];
  readonly body?: string;
}

/** A message of the phone to the exchange (`sip.in`), or to it (`sip.out`). */
function sip(
  kind: 'sip.in' | 'sip.out',
  start: string,
  cseq: string,
  words: Words = {},
  remote = '127.0.0.1:5070',
): RecordedEntry {
  const { from = '1-101', to = '102', id = 'a', more = [], body = '' } = words;
  const head = [
    start,
    `From: <sip:${from}@pbxsim.test>;tag=1`,
    `To: <sip:${to}@pbxsim.test>`,
    `Call-ID: ${id}`,
    `CSeq: ${cseq}`,
    ...more,
  ];
  return entry(kind, { flow: `udp:${from}`, remote, text: `${head.join('\r\n')}\r\n\r\n${body}` });
}

function record(entries: readonly RecordedEntry[]): string {
  const heard = new JournalHeard(roster);
  for (const one of entries) heard.take(one);
  return scenarioText(scenarioOf({ recording: heard.recording, roster, histories: new Map() }, 'try'), 'From a test.');
}

/** Steps and comments, one a line. */
function stepsOf(text: string): string[] {
  const lines = text.slice(text.indexOf('\nsteps:') + 8).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

describe('a recording', () => {
  it('knows what a real phone did by its messages alone', () => {
    const sdp = (direction: string): string => `v=0\r\nm=audio 4000 RTP/AVP 0\r\na=${direction}\r\n`;
    const text = record([
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '1 INVITE'),
      sip('sip.out', 'SIP/2.0 407 Proxy Authentication Required', '1 INVITE'),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '2 INVITE'),
      sip('sip.out', 'SIP/2.0 200 OK', '2 INVITE'),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '3 INVITE', { body: sdp('sendonly') }),
      sip('sip.out', 'SIP/2.0 491 Request Pending', '3 INVITE'),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '4 INVITE', { body: sdp('inactive') }),
      sip('sip.out', 'SIP/2.0 200 OK', '4 INVITE'),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '5 INVITE', { body: sdp('sendrecv') }),
      sip('sip.out', 'SIP/2.0 200 OK', '5 INVITE'),
      sip('sip.in', 'INFO sip:102@pbxsim.test SIP/2.0', '6 INFO', { body: 'Signal=4\r\nDuration=160\r\n' }),
      sip('sip.in', 'INFO sip:102@pbxsim.test SIP/2.0', '7 INFO', { body: 'Signal=*\r\n' }),
      sip('sip.in', 'BYE sip:102@pbxsim.test SIP/2.0', '8 BYE'),
    ]);
    expect(stepsOf(text)).toEqual([
      '- { phone: first_phone, do: call, to: second_phone }',
      '- { phone: first_phone, do: hold, after: 0.6s }',
      '- { phone: first_phone, do: resume, after: 0.2s }',
      '- { phone: first_phone, do: digits, digits: 4*, after: 0.2s }',
      '- { phone: first_phone, is: connected }',
      '- { phone: first_phone, do: hang_up, after: 0.2s }',
    ]);
  });

  it('takes what a phone does on being told by NOTIFY for no act of its user', () => {
    const text = record([
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '1 INVITE'),
      sip('sip.out', 'SIP/2.0 200 OK', '1 INVITE'),
      sip('sip.out', 'NOTIFY sip:1-101@10.0.0.1 SIP/2.0', '1 NOTIFY', { more: ['Event: hold'] }),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '2 INVITE', {
        body: 'v=0\r\nm=audio 4000 RTP/AVP 0\r\na=sendonly\r\n',
      }),
      sip('sip.out', 'SIP/2.0 200 OK', '2 INVITE'),
    ]);
    expect(stepsOf(text)).toEqual([
      '- { phone: first_phone, do: call, to: second_phone }',
      'finally: [ { phone: first_phone, do: hang_up, within: 1s } ]',
    ]);
  });

  it('knows an attended transfer by the dialog that it names', () => {
    const text = record([
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '1 INVITE'),
      sip('sip.out', 'SIP/2.0 200 OK', '1 INVITE'),
      sip('sip.in', 'REFER sip:102@pbxsim.test SIP/2.0', '2 REFER', {
        more: ['Refer-To: <sip:103@pbxsim.test?Replaces=b%3Bto-tag%3D1%3Bfrom-tag%3D2>'],
      }),
    ]);
    expect(stepsOf(text)[1]).toContain('phone: first_phone, do: join');
  });

  it('says what cannot be repeated where it happened', () => {
    const text = record([
      sip('sip.in', 'BYE sip:102@pbxsim.test SIP/2.0', '1 BYE', { id: 'before' }),
      entry('sip.in', { flow: 'x', remote: '192.0.2.7:5060', text: 'FETCH me\r\nevil: \u001b[31m\r\n\r\n' }),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '1 INVITE', {}, '192.0.2.7:5060'),
      sip('sip.out', 'SIP/2.0 200 OK', '1 INVITE', {}, '192.0.2.7:5060'),
      sip('sip.in', 'REFER sip:102@pbxsim.test SIP/2.0', '2 REFER', {
        more: ['Refer-To: <sip:103@pbxsim.test?Replaces=x>'],
      }),
      sip('sip.in', 'BYE sip:102@pbxsim.test SIP/2.0', '3 BYE'),
      sip('sip.in', 'INVITE sip:102@pbxsim.test SIP/2.0', '1 INVITE', { from: 'anonymous', id: 'c' }),
      entry('control.reset', {}),
    ]);
    expect(stepsOf(text)).toEqual([
      '# A call that was under way when the recording began is left out.',
      '# A faulty message came (FETCH me evil:  [31m): no phone of a scenario sends it.',
      '# A phone elsewhere than on this machine took part (192.0.2.7:5060): a phone of the scenario does what it did.',
      '- { phone: first_phone, do: call, to: second_phone }',
      '# A transfer (REFER) that names nobody: no phone of a scenario does that.',
      '# A call of somebody who has neither an extension nor a public number is left out.',
      '# The simulator was reset: not repeated.',
    ]);
  });

  it('names a record by the request that made it', () => {
    const request = (
      method: string,
      path: string,
      operation: string,
      status: number,
      body?: object,
    ): RecordedEntry[] => {
      const data = {
        method,
        path: `/v1.1/pbx${path}`,
        operation,
        user_id: 10_000_002,
        ...(body === undefined ? {} : { body }),
      };
      const asked = entry('rest.request', data);
      return [asked, entry('rest.response', { status }, { cause: asked.seq })];
    };
    const text = record([
      ...request('POST', '/contacts', 'createContact', 201, { name: 'Ann', user_id: 10_000_001, tel: '+442079460103' }),
      ...request('GET', '/contacts/10000099', 'getContact', 200),
      ...request('GET', '/contacts/10000099', 'getContact', 200),
      ...request('GET', '/contacts/10000007', 'getContact', 418),
      ...request('DELETE', '/contacts/10000099', 'deleteContacts', 204),
      ...request('DELETE', '/contacts/10000099', 'deleteContacts', 418),
    ]);
    expect(stepsOf(text)).toEqual([
      '- rest: createContact',
      'as: second',
      "body: { name: Ann, user_id: '${first.id}', tel: '${third.number}' }",
      'expect: { status: 201 }',
      'capture: { made_1: /data/id }',
      '- { wait: 0.2s }',
      "- { rest: getContact, as: second, path: { id: '${made_1}' }, expect: { status: 200 } }",
      '# Not repeated: GET /v1.1/pbx/contacts/10000007: nothing that was recorded tells where 10000007 is from.',
      '- { wait: 0.6s }',
      "- { rest: deleteContacts, as: second, path: { ids: '${made_1}' }, expect: { status: 204 } }",
      '- { wait: 0.2s }',
      expect.stringContaining('deleteContacts never answers 418'),
    ]);
  });

  it('always becomes a scenario that is valid', async () => {
    const kinds = [
      'sip.in',
      'sip.out',
      'event',
      'call.opened',
      'call.state',
      'call.closed',
      'rest.request',
      'rest.response',
      'fault',
      'control.reset',
    ];
    const start = fc.constantFrom(
      'INVITE sip:102@p SIP/2.0',
      'INVITE sip:+442079460001@p SIP/2.0',
      'BYE sip:x SIP/2.0',
      'CANCEL sip:x SIP/2.0',
      'REFER sip:x SIP/2.0',
      'REGISTER sip:x SIP/2.0',
      'INFO sip:x SIP/2.0',
      'SIP/2.0 180 Ringing',
      'SIP/2.0 200 OK',
      'SIP/2.0 503 No',
      'noise',
    );
    const anyEntry = fc
      .record({
        kind: fc.constantFrom(...kinds),
        start,
        method: fc.constantFrom('INVITE', 'BYE', 'REGISTER'),
        user: fc.constantFrom('1-101', '1-104', '+442079460001', '102', 'anonymous', '%%%'),
        id: fc.constantFrom('a', 'b', 'c'),
        call: fc.constantFrom(null, 1, 2),
        name: fc.constantFrom(
          'call.initial',
          'call.ringing',
          'call.hangup',
          'call.dtmf',
          'sms.received',
          'webhook.test',
        ),
        operation: fc.constantFrom('listCalls', 'createCall', 'updateCall', 'deleteCall', 'login', 'nothing', null),
        status: fc.constantFrom(200, 201, 204, 301, 404, 418),
        path: fc.constantFrom('/v1.1/pbx/calls', '/v1.1/pbx/calls/1', '/v1.1/pbx/calls/%E0', '/x'),
        body: fc.oneof(fc.constant(undefined), fc.jsonValue()),
        cause: fc.integer({ min: 1, max: 8 }),
      })
      .map(({ kind, start, method, user, id, call, cause, ...data }) => ({
        ...entry(
          kind,
          {
            ...data,
            flow: 'f',
            remote: 'x:1',
            user_id: 10_000_001,
            to: 'RINGING',
            text: `${start}\r\nFrom: <sip:${user}@p>\r\nTo: <sip:101@p>\r\nCall-ID: ${id}\r\nCSeq: 1 ${method}\r\n\r\nSignal=1`,
            payload: { digit: '1', from_no: user, to_no: '102', text: data.path, call_id: call },
          },
          { call_id: call },
        ),
        cause,
      }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { maxLength: 25 }), async (entries) => {
        const text = record(entries.map((one, index) => ({ ...one, seq: index + 1 })));
        const { plans, problems } = await loadYaml('try.yaml', () => Promise.resolve(text));
        expect(problems, text).toEqual([]);
        expect(plans).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});
