// A seeded part of the SIP storm that `npm run soak` runs whole: damaged messages on the exchange while two people talk.
import { expect, test } from 'vitest';
import { Random } from '../kernel/random.ts';
import { mutate } from '../soak/sip/mutations.ts';
import { storm } from '../soak/sip/storm.ts';

/** While compilers still go on, nothing smaller is seen; a leg or a session takes more. The long run sees 200 bytes. */
const GROWTH_BYTES = 2_500;

test('20,000 damaged messages: what is owed or silence, nothing thrown, nothing left, and nobody else notices', async () => {
  const { messages, answers, calls, growthBytes, problems } = await storm({ seed: 4475, messages: 20_000 });
  expect(problems).toEqual([]);
  expect(messages).toBeGreaterThanOrEqual(20_000);
  // They get deep: phones ring, people talk, hold, transfer and hang up among them.
  expect(calls).toBeGreaterThan(500);
  for (const status of [180, 200, 202, 400, 401, 405, 407, 415, 416, 420, 481, 482, 487, 488, 491, 500, 505])
    expect([status, answers[status] ?? 0]).not.toEqual([status, 0]);
  expect(growthBytes).toBeLessThan(GROWTH_BYTES);
}, 180_000);

test('what each call would leave behind is seen', async () => {
  const leaked: unknown[] = [];
  const { growthBytes } = await storm({
    seed: 4475,
    messages: 10_000,
    onCall: () => leaked.push(new Float64Array(GROWTH_BYTES / 8)),
  });
  expect(leaked.length).toBeGreaterThan(500);
  expect(growthBytes).toBeGreaterThan(GROWTH_BYTES);
}, 180_000);

test('the same seed makes the same storm', async () => {
  const [one, other] = [await storm({ seed: 7, messages: 500 }), await storm({ seed: 7, messages: 500 })];
  expect(one.answers).toEqual(other.answers);
  expect(one.calls).toBe(other.calls);
}, 60_000);

test('damage is of every kind, some of it with the answer that is owed', () => {
  const random = new Random('kinds');
  const plain = Buffer.from(
    'INVITE sip:102@pbx.example SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:101@pbx.example>;tag=a\r\nTo: <sip:102@pbx.example>\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n',
  );
  const mutants = Array.from({ length: 3_000 }, () => mutate(plain, random));
  const names = new Set(mutants.flatMap(({ name }) => name.split(', ')));
  expect(names.size).toBe(33);
  expect(new Set(mutants.map(({ owed }) => owed))).toEqual(new Set([undefined, 400, 416, 505]));
  expect(Math.max(...mutants.map(({ bytes }) => bytes.length))).toBeGreaterThan(15_000);
  expect(plain.toString()).toMatch(/^INVITE sip:102@pbx\.example SIP\/2\.0\r\n/);
});
