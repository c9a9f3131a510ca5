// Subscriptions (RFC 6665), from the side that tells: bytes in, answers and NOTIFYs out, on literal times.
import { describe, expect, it } from 'vitest';
import { bodyText } from './fields.ts';
import { desk, requests, responses, START, states, subscribe, tagOfOurs } from './subscription.rig.ts';

describe('a SUBSCRIBE', () => {
  it('is answered with how long it lasts, and followed by the state', () => {
    const here = desk();
    here.send(subscribe());
    const [ok, notify] = here.got;
    expect(ok).toMatchObject({ kind: 'response', status: 200 });
    expect(ok?.headers.get('Expires')).toBe('3600');
    expect(ok?.headers.get('Contact')).toBe('<sip:exchange@192.0.2.2:5060>');
    expect(notify).toMatchObject({ kind: 'request', method: 'NOTIFY', uri: 'sip:alice@192.0.2.9:5099' });
    if (notify === undefined) return;
    expect(bodyText(notify)).toBe('Messages-Waiting: no\r\n');
    const { headers } = notify;
    expect(headers.get('Content-Type')).toBe('application/simple-message-summary');
    expect(headers.get('Event')).toBe('message-summary');
    expect(headers.get('Subscription-State')).toBe('active;expires=3600');
    expect(headers.get('From')).toBe(ok?.headers.get('To'));
    expect(headers.get('To')).toBe('<sip:alice@example.com>;tag=4442');
    expect(headers.get('Call-ID')).toBe('1349882@192.0.2.9');
    expect(headers.get('CSeq')).toBe('1 NOTIFY');
    expect(headers.get('Contact')).toBe('<sip:exchange@192.0.2.2:5060>');
    expect(here.agent.stats.subscriptions).toBe(1);
    expect(here.subscriptions[0]).toMatchObject({
      eventPackage: 'message-summary',
      active: true,
      remoteContact: 'sip:alice@192.0.2.9:5099',
      expiresAt: START + 3_600_000,
    });
  });

  it.each([
    ['lasts an hour when it names no time', [], 200, 'Expires', '3600'],
    ['lasts a day at most', ['Expires: 4294967295'], 200, 'Expires', '86400'],
    ['for less than a minute is too brief', ['Expires: 59'], 423, 'Min-Expires', '60'],
    ['for no number of seconds is malformed', ['Expires: soon'], 400, 'Expires', undefined],
    ['to what we do not tell is 489', ['Event: presence'], 489, 'Allow-Events', 'message-summary, dialog'],
    ['to a malformed package is 489', ['Event: ;id=1'], 489, 'Allow-Events', 'message-summary, dialog'],
    ['to two packages is malformed', ['Event: dialog', 'Event: message-summary'], 400, 'Allow-Events', undefined],
  ])('%s', (_, more, status, header, value) => {
    const here = desk();
    here.send(subscribe(more));
    expect(responses(here).map((response) => response.status)).toEqual([status]);
    expect(here.got[0]?.headers.get(header)).toBe(value);
    expect(here.agent.stats.subscriptions).toBe(status === 200 ? 1 : 0);
  });

  it('without any Event is 489', () => {
    const here = desk();
    here.send(subscribe().filter((line) => !line.startsWith('Event')));
    expect(responses(here)[0]?.status).toBe(489);
  });

  it('may be refused by its owner', () => {
    const here = desk((request) => {
      request.respond(403);
      return false;
    });
    here.send(subscribe());
    expect(here.got.map((message) => message.kind === 'response' && message.status)).toEqual([403]);
    expect(here.agent.stats.subscriptions).toBe(0);
  });

  it('for no time fetches the state once', () => {
    const here = desk();
    here.send(subscribe(['Expires: 0']));
    expect(responses(here)[0]?.headers.get('Expires')).toBe('0');
    expect(states(here)).toEqual(['terminated;reason=timeout']);
    expect(here.ended).toEqual([]);
    here.at(40_000);
    expect(here.agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
    expect(here.clock.pending()).toEqual([]);
  });

  it('beyond the limit is 503, and nothing is kept', () => {
    const here = desk(undefined, 2);
    for (const callId of ['a', 'b', 'c']) here.send(subscribe(['Expires: 60'], 1, '', callId));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(responses(here)[2]?.headers.get('Retry-After')).toBe('5');
    expect(here.agent.stats.subscriptions).toBe(2);
  });

  it('that a proxy has forked is taken once: its other copy is 482', () => {
    const here = desk();
    here.send(subscribe());
    here.send(subscribe().map((line) => line.replace('z9hG4bK-', 'z9hG4bK-other-')));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 482]);
    expect(here.agent.stats.subscriptions).toBe(1);
  });

  it('is told in OPTIONS and Allow', () => {
    expect(desk().agent.abilities).toEqual([
      ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, REFER, NOTIFY, SUBSCRIBE'],
      ['Accept', 'application/sdp'],
      ['Supported', '100rel, timer'],
      ['Allow-Events', 'message-summary, dialog'],
    ]);
  });
});

describe('a subscription', () => {
  it('is refreshed in its dialog, told all again, and runs out an hour after the last refresh', () => {
    const here = desk();
    here.send(subscribe());
    here.at(3_000_000);
    here.send(subscribe(['Expires: 3600'], 5, tagOfOurs(here)));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 200]);
    expect(states(here)).toEqual(['active;expires=3600', 'active;expires=3600']);
    here.at(6_599_999);
    expect(here.ended).toEqual([]);
    here.at(6_600_000);
    expect(states(here)[2]).toBe('terminated;reason=timeout');
    expect(here.ended).toEqual(['6600000 expired']);
    here.at(7_000_000);
    expect(here.agent.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
    expect(here.clock.pending()).toEqual([]);
  });

  it('ends with Expires 0, after a last NOTIFY', () => {
    const here = desk();
    here.send(subscribe());
    here.send(subscribe(['Expires: 0'], 5, tagOfOurs(here)));
    expect(states(here)).toEqual(['active;expires=3600', 'terminated;reason=timeout']);
    expect(here.ended).toEqual(['0 unsubscribed']);
    here.send(subscribe(['Expires: 3600'], 6, tagOfOurs(here)));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 200, 481]);
  });

  it('keeps its time when a refresh is too brief, older than the last, or of another package', () => {
    const here = desk();
    here.send(subscribe());
    const tag = tagOfOurs(here);
    here.at(1_000_000);
    here.send(subscribe(['Expires: 10'], 5, tag));
    here.send(subscribe(['Expires: 3600'], 3, tag));
    here.send(subscribe(['Expires: 3600', 'Event: dialog'], 6, tag));
    here.send(subscribe(['Expires: 3600', 'Event: message-summary;id=2'], 7, tag));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 423, 500, 481, 481]);
    expect(here.subscriptions[0]?.expiresAt).toBe(START + 3_600_000);
  });

  it('tells each change, and one of those that came while a NOTIFY waited for its answer', () => {
    const here = desk();
    here.send(subscribe());
    here.answer = undefined;
    for (const voice of ['1/0', '2/0', '3/0']) {
      here.waiting = `Messages-Waiting: yes\r\nVoice-Message: ${voice} (0/0)\r\n`;
      here.subscriptions[0]?.changed();
      here.clock.settle();
    }
    here.answer = { status: 200 };
    here.at(600);
    const bodies = [...new Set(requests(here).map((notify) => `${notify.headers.get('CSeq')} ${bodyText(notify)}`))];
    expect(bodies).toEqual([
      '1 NOTIFY Messages-Waiting: no\r\n',
      '2 NOTIFY Messages-Waiting: yes\r\nVoice-Message: 1/0 (0/0)\r\n',
      '3 NOTIFY Messages-Waiting: yes\r\nVoice-Message: 3/0 (0/0)\r\n',
    ]);
    expect(states(here).at(-1)).toBe('active;expires=3600');
  });

  it('names the id of its Event', () => {
    const here = desk();
    here.send(subscribe(['Event: Dialog ;id=7f']));
    expect(requests(here)[0]?.headers.get('Event')).toBe('dialog;id=7f');
  });

  it.each([
    ['481', { status: 481 }, 'refused', 0],
    ['489', { status: 489 }, 'refused', 0],
    ['401', { status: 401 }, 'refused', 0],
    ['503', { status: 503 }, 'refused', 0],
    ['nothing', undefined, 'lost', 32_000],
  ])('is over when its NOTIFY is answered %s', (_, answer, why, afterMs) => {
    const here = desk();
    here.answer = answer;
    here.send(subscribe());
    here.at(afterMs);
    expect(here.ended).toEqual([`${afterMs} ${why}`]);
    expect(here.agent.stats.subscriptions).toBe(0);
    here.subscriptions[0]?.changed();
    here.subscriptions[0]?.terminate('noresource');
    here.at(afterMs + 100_000);
    expect(here.clock.pending()).toEqual([]);
  });

  it('outlives a NOTIFY that is to be tried later', () => {
    const here = desk();
    here.answer = { status: 503, more: ['Retry-After: 30'] };
    here.send(subscribe());
    here.answer = { status: 200 };
    here.subscriptions[0]?.changed();
    here.clock.settle();
    expect(here.ended).toEqual([]);
    expect(states(here).length).toBe(2);
  });

  it('tells again what was put off when the time is over that the peer named', () => {
    const here = desk();
    here.answer = { status: 503, more: ['Retry-After: 30'] };
    here.send(subscribe());
    here.at(29_999);
    expect(states(here)).toEqual(['active;expires=3600']);
    here.waiting = 'Messages-Waiting: yes\r\n';
    here.answer = { status: 200 };
    here.at(30_000);
    expect(states(here)).toEqual(['active;expires=3600', 'active;expires=3570']);
    expect(requests(here).map(bodyText).at(-1)).toBe('Messages-Waiting: yes\r\n');
    here.at(3_000_000);
    expect(states(here).length).toBe(2);
    here.send(subscribe(['Expires: 0'], 5, tagOfOurs(here)));
    here.at(3_100_000);
    expect(here.clock.pending()).toEqual([]);
  });

  it('that is put off for ever still ends when its time is over', () => {
    const here = desk();
    here.answer = { status: 500, more: ['Retry-After: 4000000000'] };
    here.send(subscribe(['Expires: 7200']));
    here.at(7_200_000);
    expect(states(here)).toEqual(['active;expires=7200', 'active;expires=3600', 'terminated;reason=timeout']);
    expect(here.ended).toEqual(['7200000 expired']);
    here.at(7_300_000);
    expect(here.clock.pending()).toEqual([]);
  });

  it('is ended by its owner with the reason, without an event', () => {
    const here = desk();
    here.send(subscribe());
    here.subscriptions[0]?.terminate('noresource');
    here.clock.settle();
    expect(states(here)[1]).toBe('terminated;reason=noresource');
    expect(here.ended).toEqual([]);
    expect(here.agent.stats.subscriptions).toBe(0);
  });

  it('goes with its flow, and with its user agent', () => {
    const here = desk();
    here.send(subscribe());
    here.close();
    here.clock.settle();
    expect(here.ended).toEqual(['0 lost']);
    const there = desk();
    there.send(subscribe());
    there.agent.close();
    expect(there.agent.stats.subscriptions).toBe(0);
    expect(there.clock.pending()).toEqual([]);
    expect(there.ended).toEqual([]);
  });

  it('answers OPTIONS, and nothing else, within its dialog', () => {
    const here = desk();
    here.send(subscribe());
    const tag = tagOfOurs(here);
    const within = (method: string, cseq: number) =>
      subscribe([], cseq, tag).map((line) => line.replace('SUBSCRIBE', method));
    here.send(within('OPTIONS', 5));
    here.send(within('NOTIFY', 6));
    here.send(within('INVITE', 7));
    here.send(within('BYE', 8));
    expect(responses(here).map(({ status }) => status)).toEqual([200, 200, 481, 405, 405]);
  });
});

describe('a NOTIFY that nobody asked for', () => {
  it('reaches a phone outside any dialog, and its answer comes back', () => {
    const here = desk();
    const outcomes: number[] = [];
    here.agent.request(
      {
        method: 'NOTIFY',
        uri: 'sip:alice@192.0.2.9:5099',
        from: '<sip:alice@example.com>',
        to: '<sip:alice@example.com>',
        headers: [
          ['Event', 'message-summary'],
          ['Subscription-State', 'terminated;reason=noresource'],
        ],
        contentType: 'application/simple-message-summary',
        body: 'Messages-Waiting: yes\r\n',
      },
      ({ status }) => outcomes.push(status),
    );
    here.clock.settle();
    expect(outcomes).toEqual([200]);
    expect(requests(here)[0]?.headers.get('To')).toBe('<sip:alice@example.com>');
    here.at(40_000);
    expect(here.clock.pending()).toEqual([]);
  });
});
