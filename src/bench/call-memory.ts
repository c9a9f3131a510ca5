// How much memory a live call takes: calls held through the exchange, less what two phones take that talk without it. Run alone: `node --expose-gc src/bench/call-memory.ts [calls]`.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { phonesAtExchange } from './exchange-calls.ts';
import { carryCalls, facingPhones, type PhonePair } from './sip-calls.ts';

export interface CallMemoryResult {
  readonly calls: number;
  /** Of one call, both phones and the exchange, in bytes. */
  readonly wholeBytes: number;
  /** Of two phones in a call with each other. */
  readonly phonesBytes: number;
  readonly exchangeBytes: number;
}

/** Fills the journal's ring and the tables of finished transactions before anything is counted. */
const WARM_UP_CALLS = 3_000;
/** After this no transaction lingers. */
const QUIET_MS = 40_000;

export function callMemory(calls = 5_000): CallMemoryResult {
  const wholeBytes = heldBytes(phonesAtExchange(), calls);
  const phonesBytes = heldBytes(facingPhones(), calls);
  return { calls, wholeBytes, phonesBytes, exchangeBytes: wholeBytes - phonesBytes };
}

function heldBytes(pair: PhonePair, calls: number): number {
  carryCalls(pair, { calls: WARM_UP_CALLS });
  const before = heapBytes();
  let answered = 0;
  const events = {
    onAnswered: () => {
      answered += 1;
    },
  };
  for (let call = 0; call < calls; call += 1) {
    pair.call(events);
    pair.clock.settle();
  }
  pair.clock.advanceTo(pair.clock.now() + QUIET_MS);
  const after = heapBytes();
  if (answered !== calls || pair.calledEnded() !== WARM_UP_CALLS) throw new Error('not every call is alive');
  return (after - before) / calls;
}

/** What is in use once all garbage is gone: the objects, and the bytes of messages outside the heap. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = globalThis.gc ?? (runInNewContext('gc') as () => void);
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

if (import.meta.main) {
  const { wholeBytes, phonesBytes, exchangeBytes } = callMemory(Number(process.argv[2] ?? 5_000));
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    `a live call: ${kib(exchangeBytes)} in the exchange (${kib(wholeBytes)} with its phones, ${kib(phonesBytes)} two phones alone)`,
  );
}
