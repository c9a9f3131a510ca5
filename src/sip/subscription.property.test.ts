// Subscriptions in any weather: whatever is lost, doubled or late, each ends, the last state that was told is the true one, and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { bodyText, toOf } from './fields.ts';
import { type MemoryFlow, memoryPair, type WireConditions } from './memory-flow.ts';
import { tagOf } from './name-addr.ts';
import { parseMessage } from './parse.ts';
import { createUserAgent } from './user-agent.ts';
import type { Subscription, UserAgent } from './user-agent-api.ts';

const START = Date.UTC(2026, 0, 1);

type Deed = 'subscribe' | 'refresh' | 'leave' | 'fetch' | 'change' | 'terminate' | 'refuse' | 'heed';

interface Step {
  readonly deed: Deed;
  readonly afterMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom<Deed>(
    'subscribe',
    'subscribe',
    'refresh',
    'leave',
    'fetch',
    'change',
    'change',
    'terminate',
    'refuse',
    'heed',
  ),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 90_000 })),
});

const weather = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant([0]) },
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 3 }) },
  ),
  { maxLength: 40 },
);

/** What a phone knows of one dialog. */
interface Heard {
  /** Empty before the exchange answered. */
  remoteTag: string;
  cseq: number;
  /** CSeq and body of the newest NOTIFY. */
  newest: number;
  text: string;
}

/** A phone that subscribes by hand, without a timer of its own, and the exchange that tells it a number. */
class World {
  readonly clock = new Timeline({ mode: 'manual', startMs: START });
  readonly live: Subscription[] = [];
  readonly ended = new Map<Subscription, number>();
  /** Those that the exchange ended by itself, so that no event follows. */
  readonly terminated = new Set<Subscription>();
  readonly heard = new Map<string, Heard>();
  readonly exchange: UserAgent;
  readonly #flow: MemoryFlow;
  #number = 0;
  #branches = 0;
  #refuses = false;
  #isWhole = false;

  constructor(there: readonly (readonly number[])[], back: readonly (readonly number[])[]) {
    const conditions =
      (delays: readonly (readonly number[])[]): WireConditions =>
      (_, count) =>
        this.#isWhole ? [0] : (delays[count - 1] ?? [0]);
    const [mine, theirs] = memoryPair({
      clock: this.clock,
      transport: 'UDP',
      reliable: false,
      ends: [
        { address: { host: '192.0.2.1', port: 5060 }, conditions: conditions(there) },
        { address: { host: '192.0.2.2', port: 5060 }, conditions: conditions(back) },
      ],
    });
    this.exchange = createUserAgent({
      clock: this.clock,
      random: new Random(1, 'exchange'),
      product: 'exchange',
      contactUser: 'exchange',
      route: () => theirs,
      eventPackages: ['message-summary'],
      events: {
        onInvite() {},
        onRequest: (request) => request.respond(404),
        onSubscribe: (request) => {
          const onEnded = (ended: Subscription) => void this.ended.set(ended, (this.ended.get(ended) ?? 0) + 1);
          this.live.push(request.accept(() => ({ body: this.number, contentType: 'text/plain' }), { onEnded }));
        },
      },
    });
    theirs.listener = this.exchange;
    mine.listener = { received: (_, bytes) => this.#receive(bytes), closed() {} };
    this.#flow = mine;
  }

  get number(): string {
    return String(this.#number);
  }

  perform(deed: Deed): void {
    const last = this.live.at(-1);
    if (deed === 'subscribe' || deed === 'fetch') {
      const callId = `call-${this.heard.size}`;
      this.heard.set(callId, { remoteTag: '', cseq: 0, newest: 0, text: '' });
      this.#subscribe(callId, deed === 'fetch' ? 0 : 60);
    } else if (deed === 'refresh' || deed === 'leave') {
      if (last !== undefined) this.#subscribe(last.callId, deed === 'leave' ? 0 : 60);
    } else if (deed === 'change') this.#change();
    else if (deed === 'terminate') {
      if (last?.active === true) this.terminated.add(last);
      last?.terminate('noresource');
    } else this.#refuses = deed === 'refuse';
  }

  pass(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms);
  }

  /** The wire is whole again, the phone listens, and there is news. What was under way is over soon, and no subscription has run out yet. */
  calm(): void {
    this.#isWhole = true;
    this.#refuses = false;
    this.pass(32_000);
    this.#change();
    this.pass(100);
  }

  #change(): void {
    this.#number += 1;
    for (const subscription of this.live) subscription.changed();
  }

  #subscribe(callId: string, expiresS: number): void {
    const dialog = this.heard.get(callId);
    // Who has heard no answer does not know its dialog, and asks no more.
    if (dialog === undefined || (dialog.cseq > 0 && dialog.remoteTag === '')) return;
    dialog.cseq += 1;
    this.#branches += 1;
    this.#say([
      'SUBSCRIBE sip:box@192.0.2.2 SIP/2.0',
      `Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK${this.#branches}`,
      'From: <sip:phone@192.0.2.1>;tag=phone',
      `To: <sip:box@192.0.2.2>${dialog.remoteTag === '' ? '' : `;tag=${dialog.remoteTag}`}`,
      `Call-ID: ${callId}`,
      `CSeq: ${dialog.cseq} SUBSCRIBE`,
      'Contact: <sip:phone@192.0.2.1:5060>',
      'Event: message-summary',
      `Expires: ${expiresS}`,
    ]);
  }

  #receive(bytes: Uint8Array): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) throw new Error(parsed.why);
    const { message } = parsed;
    const dialog = this.heard.get(message.headers.get('Call-ID') ?? '');
    if (dialog === undefined) throw new Error('the exchange speaks of a dialog that nobody began');
    if (message.kind === 'response') {
      const to = toOf(message);
      if (message.status === 200 && to !== undefined) dialog.remoteTag = tagOf(to) ?? '';
      return;
    }
    const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${message.headers.get(name)}`);
    this.#say([`SIP/2.0 ${this.#refuses ? '481 Gone' : '200 OK'}`, ...copied]);
    const cseq = Number.parseInt(message.headers.get('CSeq') ?? '', 10);
    if (this.#refuses || cseq < dialog.newest) return;
    dialog.newest = cseq;
    dialog.text = bodyText(message);
  }

  #say(lines: readonly string[]): void {
    this.#flow.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  }
}

describe('subscriptions in any weather', () => {
  it('end, tell the last state, and leave nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), weather, weather, (steps, there, back) => {
        const world = new World(there, back);
        for (const { deed, afterMs } of steps) {
          world.pass(afterMs);
          world.perform(deed);
        }
        world.calm();
        // Liveness: who is still interested knows the number of now.
        const listening = world.live.filter(({ active }) => active);
        expect(listening.map(({ callId }) => world.heard.get(callId)?.text)).toEqual(listening.map(() => world.number));
        world.pass(200_000);
        // Safety: each is over, and its owner heard so once at most; never when it ended it itself.
        expect(world.live.map(({ active }) => active)).toEqual(world.live.map(() => false));
        for (const subscription of world.live) {
          const most = world.terminated.has(subscription) ? 0 : 1;
          expect(world.ended.get(subscription) ?? 0).toBeLessThanOrEqual(most);
        }
        expect(world.exchange.stats).toEqual({
          clientTransactions: 0,
          serverTransactions: 0,
          sessions: 0,
          subscriptions: 0,
        });
        expect(world.clock.pending()).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
