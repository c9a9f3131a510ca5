// Ladders as they are drawn: further parties, requests and POSTs beside the messages, and what hostile peers send.
import { describe, expect, it } from 'vitest';
import type { JournalEntry, Json } from '../kernel/journal.ts';
import { ladderOf } from './ladder.ts';
import { ladderText } from './ladder-text.ts';
import { reasonText, sipGlance } from './sip-glance.ts';

type Note = readonly [kind: string, data: Record<string, Json>, cause?: number, at?: number];

/** Entries from 1 on, at the start of 2026 unless they say how many ms later. */
function journal(...notes: readonly Note[]): JournalEntry[] {
  return notes.map(([kind, data, cause, at], index) => ({
    seq: index + 1,
    at: 1_767_225_600_000 + (at ?? 0),
    kind,
    callId: 7,
    customerId: 1,
    cause: cause ?? null,
    data,
  }));
}

const request = (method: string, dialog: string, to = '102'): Record<string, Json> => ({
  sip_call_id: dialog,
  text: `${method} sip:${to}@pbx.test SIP/2.0\r\nTo: <sip:${to}@pbx.test>\r\nCSeq: 1 ${method}\r\n\r\n`,
});

const drawing = (entries: readonly JournalEntry[], leftOut = 0): string[] =>
  (ladderText(ladderOf({ callId: 7, entries, leftOut })).split('\n\n==')[0] ?? '').split('\n');

describe('a ladder', () => {
  it('has the REST client and the webhook receiver beside the parties', () => {
    const entries = journal(
      ['rest.request', { method: 'POST', path: '/v1.1/pbx/calls', operation: 'createCall', body: { to: '102' } }],
      ['call.opened', { origin: 'click-to-call', src: '101', dst: '102' }, 1],
      ['sip.out', request('INVITE', 'a', '101'), 1],
      ['call.state', { from: 'NEW', to: 'INITIAL' }, 1],
      ['event', { name: 'call.initial' }, 4],
      ['call.state', { from: 'INITIAL', to: 'INITIAL' }, 1],
      ['rest.response', { status: 201, operation: 'createCall' }, 1],
      [
        'webhook.attempt',
        { event: 'call.initial', attempt: 1, status: 503, retry_in_ms: 30_000, url: 'https://a.test/', body: {} },
        5,
      ],
      ['event', { name: 'call.dtmf' }],
      [
        'webhook.attempt',
        { event: 'call.initial', attempt: 2, error: 'timeout', url: 'https://a.test/', body: {} },
        5,
        30_000,
      ],
    );
    expect(drawing(entries)).toEqual([
      'Call 7: 101 -> 102, 2026-01-01T00:00:00.000Z',
      '',
      ' no      time   caller 101                  exchange                    REST client                 webhook',
      '  1     0.000   |                           |<------ POST /calls -------|                           |  createCall',
      '  2     0.000   |<--------- INVITE ---------|                           |                           |',
      '  3     0.000   |                           | * INITIAL                 |                           |  call.initial',
      '  4     0.000   |                           |---------- 201 ----------->|                           |  createCall',
      '  5     0.000   |                           |----------------- POST call.initial ------------------>|  503, again in 30 s',
      '  6     0.000   |                           | * call.dtmf               |                           |',
      '  7    30.000   |                           |----------------- POST call.initial ------------------>|  timeout, attempt 2',
    ]);
  });

  it('notes what else the exchange did, with its facts in words', () => {
    const entries = journal(
      ['call.opened', { origin: 'call', src: '101', dst: '102' }],
      ['voicemessage.kept', { id: 38, duration: 19, user: 7, labels: ['new'] }],
    );
    const { rows } = ladderOf({ callId: 7, entries });
    expect(rows).toMatchObject([
      { from: 'exchange', label: 'voicemessage.kept', note: 'id 38, duration 19, user 7, labels ["new"]' },
    ]);
  });

  it('gives whoever is called instead a lifeline of their own', () => {
    const entries = journal(
      ['call.opened', { origin: 'call', src: '101', dst: '102' }],
      ['sip.in', request('INVITE', 'a')],
      ['sip.out', request('INVITE', 'b')],
      ['sip.out', request('INVITE', 'c', '103')],
      ['sip.in', request('BYE', 'c', '103')],
    );
    const { columns, rows } = ladderOf({ callId: 7, entries });
    expect(columns.map(({ title }) => title)).toEqual(['caller 101', 'exchange', 'callee 102', 'party-3 103']);
    expect(rows.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'caller exchange',
      'exchange callee',
      'exchange party-3',
      'party-3 exchange',
    ]);
  });

  it('shows what the exchange plays to whom', () => {
    const entries = journal(
      ['call.opened', { origin: 'call', src: '101', dst: '102' }],
      ['sip.in', request('INVITE', 'a')],
      ['sound.played', { name: 'prompt/invalid', ms: 2000, to: 'caller' }],
      ['sound.played', { name: 'music', ms: 3000, to: 'caller', loop: true }],
    );
    expect(drawing(entries).slice(4)).toEqual([
      '  2     0.000   |<--- ~ prompt/invalid ~ ---|  2 s',
      '  3     0.000   |<------- ~ music ~ --------|  again and again',
    ]);
  });

  it('has so many lifelines and no more', () => {
    const invites = Array.from(
      { length: 50 },
      (_, index): Note => ['sip.out', request('INVITE', `d${index}`, `${200 + index}`)],
    );
    const { columns } = ladderOf({ callId: 7, entries: journal(['call.opened', { origin: 'call' }], ...invites) });
    expect(columns.map(({ id }) => id)).toEqual(['exchange', 'callee', 'party-3', 'party-4', 'party-5', 'party-6']);
  });

  it('says what is missing, and draws nothing of nothing', () => {
    expect(drawing(journal(['call.opened', { src: '1', dst: '2' }]), 12).slice(0, 2)).toEqual([
      'Call 7: 1 -> 2, 2026-01-01T00:00:00.000Z',
      '12 further entries of this call were not kept.',
    ]);
    expect(ladderOf({ callId: 7, entries: [] }).rows).toEqual([]);
  });

  it('shows any kind of entry, and lets no control character through', () => {
    const entries = journal(
      ['call.opened', { src: '101\u001b[2J', dst: '102' }],
      ['fault.applied', { action: 'drop' }],
      ['sip.in', { sip_call_id: 'a', text: '\u001b]0;x\u0007 \u0000\u009b\nnot SIP' }],
    );
    const text = ladderText(ladderOf({ callId: 7, entries }));
    expect(text).toContain(' * fault.applied');
    expect(text).toContain('\\x1b]0;x\\x07');
    expect([...text].filter((letter) => /\p{Cc}/u.test(letter) && letter !== '\n')).toEqual([]);
  });
});

describe('a message at a glance', () => {
  const sdp = (line: string): string => `\r\nContent-Type: application/sdp\r\n\r\nv=0\r\ns=-\r\n${line}\r\n`;

  it.each([
    [`INVITE sip:102@x SIP/2.0\r\nCSeq: 1 INVITE${sdp('a=sendonly')}`, 'INVITE (SDP sendonly)'],
    [`INVITE sip:102@x SIP/2.0\r\nCSeq: 1 INVITE${sdp('a=sendrecv')}`, 'INVITE (SDP)'],
    [`SIP/2.0 200 OK\r\nCSeq: 1 INVITE${sdp('a=inactive')}`, '200 OK (SDP inactive)'],
    ['SIP/2.0 200 OK\r\ncseq : 2 BYE\r\n\r\n', '200 OK (BYE)'],
    ['SIP/2.0 180 Ringing\r\nCSeq: 1 INVITE\r\n\r\n', '180 Ringing'],
    ['SIP/2.0 480 \r\nCSeq: 1 INVITE\r\n\r\n', '480'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('%j is %s', (message, label) => {
    expect(sipGlance(message).label).toBe(label);
  });

  it('tells whom it is for, and why', () => {
    expect(sipGlance('INVITE x SIP/2.0\r\nt: "A" <sip:103@x;y=1>;tag=1\r\n\r\n').to).toBe('103');
    expect(sipGlance('INVITE x SIP/2.0\r\nTo: tel:+44207\r\n\r\n').to).toBe('tel:+44207');
    const message = 'REFER x SIP/2.0\r\nReason: SIP;\ncause=200\r\nRefer-To: <sip:104@x>\r\n\r\n';
    expect(reasonText(message)).toBe('SIP; cause=200, Refer-To: <sip:104@x>');
  });
});
