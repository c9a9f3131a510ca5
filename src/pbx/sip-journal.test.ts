// What the journal keeps of SIP, and for how long: limits that hold whatever peers send.
import { beforeEach, expect, test } from 'vitest';
import { dataOf, Journal } from '../kernel/journal.ts';
import { Timeline } from '../kernel/timeline.ts';
import { memoryPair } from '../sip/memory-flow.ts';
import { parseMessage } from '../sip/parse.ts';
import { SipJournal } from './sip-journal.ts';

const clock = new Timeline({ mode: 'manual', startMs: 0 });
const [flow] = memoryPair({
  clock,
  transport: 'UDP',
  reliable: false,
  ends: [{ address: { host: '192.0.2.1', port: 5060 } }, { address: { host: '192.0.2.2', port: 5060 } }],
});

let journal: Journal;
let sip: SipJournal;

beforeEach(() => {
  journal = new Journal(clock);
  sip = new SipJournal(journal, 20);
});

function receive(callId: string, body = ''): number {
  const lines = [
    'MESSAGE sip:102@pbx.example SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.2:5060;branch=z9hG4bKnashds7',
    'Max-Forwards: 70',
    'From: <sip:101@pbx.example>;tag=a',
    'To: <sip:102@pbx.example>',
    `Call-ID: ${callId}`,
    'CSeq: 1 MESSAGE',
    `Content-Length: ${body.length}`,
    '',
    body,
  ];
  const bytes = Buffer.from(lines.join('\r\n'));
  const parsed = parseMessage(bytes);
  if (!parsed.ok) throw new Error(parsed.why);
  sip.observed('in', flow, parsed.message, bytes);
  return journal.last;
}

const callOf = (seq: number) => journal.get(seq)?.callId;

test('messages that came before their call was known are filed under it, and those that come later', () => {
  const first = receive('one@192.0.2.2');
  expect(callOf(first)).toBeNull();
  sip.file('one@192.0.2.2', { callId: 7, customerId: 1 });
  expect([callOf(first), callOf(receive('one@192.0.2.2')), callOf(receive('other'))]).toEqual([7, 7, null]);
});

test('a dialog in which something is said now and then is remembered, however many others pass by', () => {
  sip.file('long', { callId: 1, customerId: 1 });
  for (let count = 2; count < 200; count += 1) {
    sip.file(`short ${count}`, { callId: count, customerId: 1 });
    expect(callOf(receive('long'))).toBe(1);
  }
  expect([sip.callOf('short 2'), sip.callOf('short 199')]).toEqual([undefined, 199]);
});

test('a Call-ID of more than 512 characters is not remembered', () => {
  const [longest, longer] = ['x'.repeat(512), 'x'.repeat(513)];
  const seqs = [receive(longest), receive(longer)];
  for (const callId of [longest, longer]) sip.file(callId, { callId: 3, customerId: 1 });
  expect(seqs.map(callOf)).toEqual([3, null]);
  expect([sip.callOf(longest), sip.callOf(longer)]).toEqual([3, undefined]);
});

test('of long messages the last 64 MiB are kept whole, of those before them the beginning', () => {
  const seqs = Array.from({ length: 1_200 }, (_, count) => receive(`flood ${count}`, 'z'.repeat(64_000)));
  const [first, last] = [seqs[0] ?? 0, seqs.at(-1) ?? 0].map((seq) => {
    const entry = journal.get(seq);
    return entry === undefined ? {} : dataOf(entry);
  });
  expect(first).toMatchObject({ method: 'MESSAGE', sip_call_id: 'flood 0', transport: 'UDP', whole_bytes: 64_232 });
  expect(String(first?.text)).toHaveLength(4_096);
  expect(String(first?.text)).toMatch(/^MESSAGE sip:102@pbx\.example SIP\/2\.0\r\nVia: /);
  expect(last).not.toHaveProperty('whole_bytes');
  expect(String(last?.text)).toHaveLength(64_235);
  const whole = seqs.filter((seq) => String(dataOf(journal.get(seq) ?? raise()).text).length > 60_000);
  expect(whole).toEqual(seqs.slice(-whole.length));
  expect(whole.length * 64_000).toBeGreaterThan(60 * 1024 * 1024);
  expect(whole.length * 64_000).toBeLessThan(64 * 1024 * 1024);
});

function raise(): never {
  throw new Error('the journal has no such entry');
}
