// Whatever is done to a simulator, the file says at each moment what memory says, and the next simulator answers like the last.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESENT } from '../durable/data-file.ts';
import { RecordCodec } from '../durable/record-codec.ts';
import { rowsOf, stateIn } from '../durable/rows.ts';
import { KeptStage } from './kept-stage.ts';

type Act = (stage: KeptStage) => Promise<unknown>;

const labels = async (stage: KeptStage) => (await stage.get('/calllabels')).data.map(({ id }) => id);

/** The n-th of those that are there, or one that is not. */
const acts: Readonly<Record<string, (n: number) => Act>> = {
  'make a label': (n) => (stage) => stage.api('post', '/calllabels', { name: `Label ${n}`, color: '#123456' }),
  'change a label': (n) => async (stage) => {
    const all = await labels(stage);
    await stage.api('patch', `/calllabels/${all[n % all.length] ?? 5}`, { name: `Changed ${n}` });
  },
  'delete a label': (n) => async (stage) => {
    const all = await labels(stage);
    await stage.api('delete', `/calllabels/${all[n % all.length] ?? 5}`);
  },
  'change a user': (n) => (stage) => stage.api('patch', '/users', [{ id: 10_000_001 + (n % 7), location_id: n }]),
  'make a contact': (n) => (stage) => stage.api('post', '/contacts', { first_name: `Ann ${n}`, last_name: 'Other' }),
  'delete all labels': () => (stage) => stage.api('delete', '/calllabels'),
  'log in': (n) => (stage) => {
    const users = stage.simulator.world.customers[0]?.users ?? [];
    const { email = '', password = '' } = users[n % users.length] ?? {};
    return stage.api('post', '/login', { email, password });
  },
  'call a colleague': (n) => (stage) => stage.api('post', '/calls', { to: String(101 + (n % 5)) }),
  'call outside': (n) => (stage) => stage.api('post', '/calls', { to: `+44207946000${n % 9}` }),
  'let time pass': (n) => (stage) => stage.advance(`${1 + (n % 20)}s`),
  'set a fault': (n) => (stage) =>
    stage.sim('post', '/faults', { match: { at: 'sip', method: 'OPTIONS' }, action: { do: 'drop' }, times: 1 + n }),
  'script a number': (n) => (stage) => stage.sim('put', `/trunk/+4420794605${n}`, { behaviour: { on_call: 'busy' } }),
  'make a phone busy': (n) => (stage) => stage.sim('patch', `/phones/${101 + (n % 7)}`, { behaviour: 'busy' }),
  'send a text': (n) => (stage) =>
    stage.api('post', '/sms', {
      from: stage.simulator.world.customers[0]?.numbers[0],
      to: '+442079460123',
      text: `${n}`,
    }),
  'ask for a webhook': () => (stage) =>
    stage.sim('post', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['call_state_change'] }),
  'delete a user': (n) => (stage) => stage.api('delete', `/users/${10_000_003 + (n % 7)}`),
  'make an account': () => (stage) => stage.sim('post', '/customers', {}),
  reset: () => (stage) => stage.sim('post', '/reset'),
};

const act = fc.record({ what: fc.constantFrom(...Object.keys(acts)), n: fc.nat({ max: 60 }) });

/** What there is, in an order of its own; `at` of a moment ago is another moment. */
function rowsInMemory(stage: KeptStage): string[] {
  const codec = new RecordCodec();
  const state = stage.simulator.world.state();
  return [...rowsOf(state, { seed: 11, lives: 0 }, codec)]
    .map((row) => plain(row, codec))
    .filter(isCompared)
    .sort();
}

function rowsInFile(stage: KeptStage): string[] {
  const codec = new RecordCodec();
  const state = stateIn(stage.file, PRESENT, codec);
  const again = new RecordCodec();
  return [...rowsOf(state, { seed: 11, lives: 0 }, again)]
    .map((row) => plain(row, again))
    .filter(isCompared)
    .sort();
}

type Row = ReturnType<typeof rowsOf> extends IterableIterator<infer R> ? R : never;
/** A live call's media is no part of a state, of the rest some is another in each process, and traces are kept when there is time. */
const uncompared = new Set(['world', 'shapes', 'first calls', 'deliveries', 'last deliveries', 'traces', 'takes']);
const small = new Set([
  'ids',
  'faults',
  'scripts',
  'phones',
  'seeded',
  'live ids',
  'tokens',
  'nonces',
  'resets',
  'mails',
]);

function plain({ section, owner, key, value }: Row, codec: RecordCodec): string {
  const isJson = small.has(section) || uncompared.has(section);
  const said: unknown = isJson ? JSON.parse(value) : codec.read(value);
  return `${section} ${owner} ${key} ${sorted(said).replace(/\["nb_sip_locations",\d+\]/, '')}`;
}

/** Members come in the order of the schema or of whoever wrote them. */
function sorted(said: unknown): string {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return JSON.stringify(said);
  return JSON.stringify(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isCompared(row: string): boolean {
  return ![...uncompared, 'mediasessions'].some((section) => row.startsWith(`${section} `));
}

describe('a file', () => {
  it('says at each moment what memory says, and after the end the next process says so, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (plan) => {
        const stage = new KeptStage();
        try {
          // A phone may be gone with its user, a webhook's URL does not answer: what is refused changes nothing.
          for (const { what, n } of plan) await acts[what]?.(n)(stage).catch(() => {});
          await stage.advance('1s');
          expect(rowsInFile(stage)).toEqual(rowsInMemory(stage));
          await stage.advance('10m');
          const paths = ['/calllabels', '/users', '/contacts', '/cdrs?limit=2000', '/sms', '/msdrs?limit=2000'];
          const before = await Promise.all(paths.map((path) => stage.get(path)));
          const calls = (await stage.get('/calls')).total;
          const { now } = await stage.sim('get', '/clock');
          await stage.dieAndComeBack({ startMs: Date.parse(now) });
          const after = await Promise.all(paths.map((path) => stage.get(path)));
          if (calls === 0) expect(after).toEqual(before);
          else expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
          expect(rowsInFile(stage)).toEqual(rowsInMemory(stage));
        } finally {
          await stage.close();
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
