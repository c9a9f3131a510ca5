// How many complete calls a second the exchange carries in memory: two phones, digest, journal, CDR and events, on a manual clock. Run alone: `node src/bench/exchange-calls.ts [calls]`.
import { IdBlocks } from '../kernel/ids.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { TelephoneExchange } from '../pbx/exchange.ts';
import { memoryPair } from '../sip/memory-flow.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { UserAgent } from '../sip/user-agent-api.ts';
import type { SeededUser } from '../store/seed/people.ts';
import { seedWorld } from '../store/seed/world.ts';
import { createStore } from '../store/store.ts';
import { Traces } from '../store/traces.ts';
import { answering, carryCalls, type PhonePair, SDP, type SipCallsOptions } from './sip-calls.ts';

export interface ExchangeCallsResult {
  readonly calls: number;
  /** Calls without a 200 at the caller, a BYE at both phones, a CDR or a terminal event. */
  readonly failed: number;
  readonly callsPerSecond: number;
}

const DOMAIN = 'pbx.example';
const START_MS = Date.UTC(2026, 0, 1);
const TERMINAL = new Set(['call.hangup', 'call.missed', 'call.failed']);

/** Two registered phones that call each other through an exchange. */
export interface ExchangePair extends PhonePair {
  /** Terminal events so far. */
  terminalEvents(): number;
  /** Records written so far, seeded ones apart. */
  cdrs(): number;
}

export function phonesAtExchange(reliable = true): ExchangePair {
  const clock = new Timeline({ mode: 'manual', startMs: START_MS });
  const journal = new Journal(clock);
  clock.carry(journal);
  const random = new Random(1);
  const store = createStore();
  new Traces({ journal });
  const liveIds = new IdBlocks();
  const { customers } = seedWorld(store, { random, nowMs: START_MS, domain: DOMAIN, liveIds });
  const exchange = new TelephoneExchange({
    clock,
    random,
    journal,
    store,
    domain: DOMAIN,
    product: 'pbxsim',
    liveIds,
    connect: () => undefined,
  });
  let terminal = 0;
  exchange.subscribe((event) => {
    if (event.kind === 'call' && TERMINAL.has(event.name)) terminal += 1;
  });
  const [first, second] = customers[0]?.users ?? [];
  if (first === undefined || second === undefined) throw new Error('the seed world has two users');
  let calledEnded = 0;
  const parts = { clock, random, exchange, reliable };
  const onEnded = (): void => {
    calledEnded += 1;
  };
  const caller = phoneOf(first, parts, onEnded);
  phoneOf(second, parts, onEnded);
  clock.settle();
  const before = store.cdrs.size;
  return {
    clock,
    call: (events) =>
      void caller.invite({
        uri: `sip:${second.ext}@${DOMAIN}`,
        from: `<sip:${first.sip_username}@${DOMAIN}>`,
        to: `<sip:${second.ext}@${DOMAIN}>`,
        body: SDP,
        credentials: { username: first.sip_username, password: first.sip_password },
        events,
      }),
    calledEnded: () => calledEnded,
    terminalEvents: () => terminal,
    cdrs: () => store.cdrs.size - before,
  };
}

interface PhoneParts {
  readonly clock: Timeline;
  readonly random: Random;
  readonly exchange: TelephoneExchange;
  readonly reliable: boolean;
}

/** A registered phone that rings and answers at once. */
function phoneOf(user: SeededUser, { clock, random, exchange, reliable }: PhoneParts, onEnded: () => void): UserAgent {
  const { ext, sip_username: username, sip_password: password } = user;
  const [wire] = memoryPair({
    clock,
    reliable,
    ends: [
      { address: { host: `${ext}.phone.example`, port: 5060 } },
      { address: { host: DOMAIN, port: 5060 }, listener: exchange.listener },
    ],
  });
  const phone = createUserAgent({
    clock,
    random: random.split(`phone-${ext}`),
    product: 'bench phone',
    contactUser: ext,
    route: () => wire,
    lastHop: true,
    events: answering(onEnded),
  });
  wire.listener = phone;
  const address = `<sip:${username}@${DOMAIN}>`;
  phone.request(
    {
      method: 'REGISTER',
      uri: `sip:${DOMAIN}`,
      from: address,
      to: address,
      headers: [['Contact', `<sip:${ext}@${ext}.phone.example>;expires=3600`]],
      credentials: { username, password },
    },
    ({ status }) => {
      if (status !== 200) throw new Error(`phone ${ext} was answered ${status} when it registered`);
    },
  );
  return phone;
}

/** `reliable` false: as over UDP, each transaction lingers and its timers are set. */
export function exchangeCalls(options: SipCallsOptions): ExchangeCallsResult {
  const pair = phonesAtExchange(options.reliable);
  const { calls, whole, callsPerSecond } = carryCalls(pair, options);
  return { calls, failed: calls - Math.min(whole, pair.cdrs(), pair.terminalEvents()), callsPerSecond };
}

if (import.meta.main) {
  const calls = Number(process.argv[2] ?? 5_000);
  for (const reliable of [true, false]) {
    exchangeCalls({ calls: 1_000, reliable });
    const { callsPerSecond, failed } = exchangeCalls({ calls, reliable });
    console.log(`${reliable ? 'reliable' : 'like UDP'}: ${Math.round(callsPerSecond)} calls/s, ${failed} failed`);
  }
}
