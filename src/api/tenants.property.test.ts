// Accounts are sealed from each other: whatever one does, another is answered, and has, what it would be and have in a world of its own.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../contract/operations.ts';
import { collectionOf, type Store, storedResources } from '../store/store.ts';
import type { StoredResourceId } from '../store/stored.ts';
import { type Kind, kindOf } from './requests.rig.ts';
import { type Answer, Door, House, type Step, type Taken } from './tenants.rig.ts';

const door = new Door();
beforeAll(() => door.open());
afterAll(() => door.close());

/** What an account was answered, with tokens and nonces left out: they are drawn from one urn. */
function answersOf(taken: readonly Taken[], account: number, steps: readonly Step[]): string[] {
  return taken.flatMap(({ asked, answer }, index) => {
    if (steps[index]?.account !== account) return [];
    const text = answer.bytes.toString('latin1').replace(/("(?:user_token|nonce)":)"[^"]*"/g, '$1"..."');
    const { method } = asked.operation;
    return [
      [
        method,
        asked.path + asked.query,
        JSON.stringify(asked.body),
        answer.status,
        JSON.stringify(answer.headers),
        text,
      ].join(' '),
    ];
  });
}

/** Texts that only that account has: a name of somebody else must not look like one of its own. */
function secretsOf(house: House, account: number): string[] {
  const own = textsIn(JSON.parse(house.dump(account)));
  const others = [1, 2, 3].filter((one) => one !== account).map((one) => house.dump(one));
  const isTime = /^\d{4}-\d\d-\d\d/;
  return [...own].filter(
    (text) => text.length >= 8 && !isTime.test(text) && !others.some((dump) => dump.includes(text)),
  );
}

function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) textsIn(one, found);
  return found;
}

const pair = fc.constantFrom([1, 2] as const, [2, 1] as const, [1, 3] as const, [3, 2] as const);
const stepOf = (accounts: readonly [number, number]): fc.Arbitrary<Step> =>
  fc.record({
    account: fc.constantFrom(...accounts),
    user: fc.nat(6),
    operation: fc.constantFrom<OperationId[]>(...operations.map(({ id }) => id)),
    seed: fc.nat(),
  });
const story = pair.chain((accounts) =>
  fc.tuple(fc.constant(accounts), fc.array(stepOf(accounts), { minLength: 20, maxLength: 60 })),
);

describe('two accounts that do whatever they can', () => {
  test('are answered, and have, what they would without each other', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ([[one, other], steps]) => {
        const together = new House(door);
        const taken = await together.take(steps, new Set([one, other]));
        for (const [account, foreign] of [
          [one, other],
          [other, one],
        ] as const) {
          const alone = new House(door);
          alone.forget(foreign);
          const own = steps.filter((step) => step.account === account);
          const takenAlone = await alone.take(steps, new Set([account]));
          expect(answersOf(taken, account, steps)).toEqual(answersOf(takenAlone, account, own));
          expect(together.dump(account)).toBe(alone.dump(account));
        }
        expect(together.stage.journal.query({ kind: 'rest.failure' })).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 55_000);

  test('read nothing of each other: no id, no number, no name, no text', async () => {
    const fresh = new House(door);
    const secrets = new Map([1, 2, 3].map((account) => [account, secretsOf(fresh, account)]));
    expect(Math.min(...[...secrets.values()].map(({ length }) => length))).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(story, async ([accounts, steps]) => {
        const house = new House(door);
        const taken = await house.take(steps, new Set(accounts));
        const saidBy = new Map<number, string>();
        for (const [index, { asked, answer }] of taken.entries()) {
          const { account = 0 } = steps[index] ?? {};
          const foreign = accounts.find((one) => one !== account) ?? 0;
          // Whoever asks may have written the number itself, now or before, with its plus sign, with a blank in its place, or with neither.
          const plain = (text: string): string => text.replaceAll(/[+ ]/g, '');
          const asks = plain(decodeURIComponent(asked.path + asked.query) + JSON.stringify(asked.body ?? ''));
          const said = `${saidBy.get(account) ?? ''}\n${asks}`;
          saidBy.set(account, said);
          const read = answer.bytes.toString('latin1');
          const ids = read.match(new RegExp(`(?<![\\d.])${foreign}\\d{7}(?!\\d)`, 'g')) ?? [];
          const found = [...(secrets.get(foreign) ?? []), `canary-${foreign}-`].filter((secret) =>
            read.includes(secret),
          );
          const isNews = (text: string): boolean => !said.includes(plain(text));
          expect([asked.operation.id, [...ids, ...found].filter(isNews)]).toEqual([asked.operation.id, []]);
        }
      }),
      { numRuns: 25 },
    );
  }, 55_000);
});

/** Nobody has had this id, or will soon. */
const NEVER = 28_888_888;

/** An answer with the id that was asked for, which it may repeat, taken out. */
function faceless({ status, headers, bytes }: Answer, id: number | string): unknown[] {
  const { 'content-length': _, ...rest } = headers;
  return [status, rest, bytes.toString('utf8').replaceAll(String(id), 'ID')];
}

function someId(house: House, kind: Kind, account: number): number {
  if (kind === 'customers') return account;
  if (kind === 'calls') return house.stage.exchange.add(account, []).id;
  const [first] = collectionOf(house.store, kind as StoredResourceId).list(account);
  if (first === undefined) throw new Error(`the seed world has no ${kind} in account ${account}`);
  return Number(first.id);
}

describe('an id of another account answers like one that never was', () => {
  test('the seed world has something of everything, in every account', () => {
    const { store } = new House(door);
    const empty = storedResources.flatMap((id) =>
      [1, 2, 3].filter((one) => (store as Store)[id].count(one) === 0).map((one) => `${id} of ${one}`),
    );
    expect(empty).toEqual([]);
  });

  const named = operations.filter(({ path }) => /\{ids?\}/.test(path));
  test.each(named.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    const house = new House(door);
    const [root] = house.usersOf(1);
    const kind = kindOf(operation);
    const before = house.dump(2);
    const foreign = someId(house, kind, 2);
    const never = kind === 'customers' ? 7 : NEVER;
    const body = bodies[operation.id];
    const own = operation.path.includes('{ids}') ? `${someId(house, kind, 1)},` : '';
    const answers = [];
    for (const id of [foreign, never]) {
      const path = operation.path.replace(/\{ids?\}/, own + id).replace(/\{(from|to)\}/g, '%2B442079460201');
      answers.push(faceless(await house.ask(operation.method, path, root, body), id));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(404);
    if (own !== '')
      expect(collectionOf(house.store, kind as StoredResourceId).get(Number(own.slice(0, -1)))).toBeDefined();
    if (kind !== 'calls') expect(house.dump(2)).toBe(before);
  });

  test('a number of another account answers like one that nobody has', async () => {
    const house = new House(door);
    const [root] = house.usersOf(1);
    const [foreign] = house.store.ddis.list(2);
    const answers = [];
    for (const number of [foreign?.e164 ?? '', '+442079460998'])
      for (const path of [number, number.slice(1), encodeURIComponent(number)])
        answers.push(faceless(await house.ask('GET', `/ddis/${path}`, root), number.slice(1)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.[0]).toBe(404);
  });
});

/** A body with which each operation that changes a record means something. */
const bodies: Readonly<Record<string, object>> = {
  updateCall: { dst: '101' },
  updateRoutingRule: { pos: 1 },
  updateReportSchedule: { description: 'x' },
  updateContact: { notes: 'x' },
  updateVmAnnouncement: { description: 'x' },
  updateCannedResponse: { text: 'x' },
  updateCallMeBackButton: { data_online: 'x' },
  ...Object.fromEntries(
    [
      'CallLabel',
      'Conference',
      'RingGroup',
      'Ivr',
      'QueueGroup',
      'UserGroup',
      'UserGroupPolicy',
      'CallMeBackSetting',
    ].map((what) => [`update${what}`, { name: 'x' }]),
  ),
};

const silence = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Requests that name something in their body: of which kind it is, and where it stands. */
const naming: ReadonlyArray<readonly [string, Kind, (id: number) => unknown]> = [
  ['POST /calls', 'users', (id) => ({ to: '101', from: String(id) })],
  ['POST /vmannouncements', 'users', (extension_id) => ({ data: silence, extension_id })],
  ['PATCH /vmannouncements/10000001', 'users', (extension) => ({ extension })],
  ['PATCH /calltracking/ddis', 'campaigns', (campaign_id) => [{ e164: '+442079460101', campaign_id }]],
  [
    'PATCH /contacts',
    'contacts',
    (id) => [
      { id: 10_000_001, group_name: 'x' },
      { id, group_name: 'x' },
    ],
  ],
  [
    'PATCH /cdrs',
    'cdrs',
    (id) => [
      { id: 10_000_001, info: 'x' },
      { id, info: 'x' },
    ],
  ],
  [
    'PATCH /voicemessages',
    'voicemessages',
    (id) => [
      { id: 10_000_001, folder: 'old' },
      { id, folder: 'old' },
    ],
  ],
  [
    'PATCH /users',
    'users',
    (id) => [
      { id: 10_000_001, location_id: 1 },
      { id, location_id: 1 },
    ],
  ],
  ['PATCH /users', 'usergroups', (group) => [{ id: 10_000_001, groups: [group] }]],
  ['PATCH /users', 'usergroups', (id) => [{ id: 10_000_001, groups: [{ id }] }]],
  ['POST /contacts', 'users', (user_id) => ({ first_name: 'x', user_id })],
  ['PATCH /contacts/10000001', 'users', (user_id) => ({ user_id })],
  ['POST /conferences', 'ddis', (ddi) => ({ name: 'x', ddis: [ddi] })],
  ['PATCH /conferences/10000001', 'ddis', (ddi) => ({ ddis: [ddi] })],
  ['POST /ringgroups', 'users', (user) => ({ name: 'x', users: [10_000_001, user] })],
  ['PATCH /ringgroups/10000001', 'mohs', (moh_id) => ({ moh_id })],
  ['PATCH /ringgroups/10000001', 'users', (user) => ({ users: [user] })],
  ['POST /queues', 'users', (id) => ({ name: 'x', users: [{ id, status: true }] })],
  ['POST /queues', 'mohs', (moh_id) => ({ name: 'x', moh_id })],
  ['POST /queues', 'ivrs', (ivr_id) => ({ name: 'x', ivr_id })],
  ['POST /queues', 'ivrs', (post_call_ivr_id) => ({ name: 'x', post_call_ivr_id })],
  ['POST /queues', 'ddis', (ddi) => ({ name: 'x', ddis: [ddi] })],
  ['POST /ivrs', 'ddis', (ddi) => ({ name: 'x', ddis: [ddi] })],
  ['POST /callmeback/settings', 'callmebackbuttons', (button_id) => ({ name: 'x', button_id })],
  ['POST /callmeback/settings', 'ddis', (ddi) => ({ name: 'x', ddi })],
  ['POST /routingrules', 'users', (id) => ({ action: `redirect:${id}`, direction: 'in' })],
  ['POST /routingrules', 'queues', (id) => ({ action: `queue:${id}`, direction: 'in' })],
  ...(['ringgroups', 'ivrs', 'queues'] as const).flatMap((holder) =>
    (
      [
        ['U', 'users'],
        ['V', 'users'],
        ['R', 'ringgroups'],
        ['I', 'ivrs'],
        ['Q', 'queues'],
        ['C', 'conferences'],
      ] as const
    ).map(
      ([final_dst_type, kind]) =>
        [`POST /${holder}`, kind, (final_dst_id: number) => ({ name: 'x', final_dst_type, final_dst_id })] as const,
    ),
  ),
];

describe('what a body names of another account answers like what never was', () => {
  test.each(naming.map(([route, kind, body]) => [route, kind, JSON.stringify(body(1)), body] as const))(
    '%s %s %s',
    async (route, kind, _, body) => {
      const house = new House(door);
      const [root] = house.usersOf(1);
      const [method = '', path = ''] = route.split(' ');
      const foreign = someId(house, kind, 2);
      const [mine, theirs] = [house.dump(1), house.dump(2)];
      const answers = [];
      for (const id of [foreign, NEVER]) {
        answers.push(faceless(await house.ask(method, path, root, body(id)), id));
        expect([house.dump(1), house.dump(2)]).toEqual([mine, theirs]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect([400, 404]).toContain(answers[0]?.[0]);
    },
  );

  test.each([
    ['POST /calls', (e164: string) => ({ to: '101', caller_id: e164 })],
    ['POST /sms', (e164: string) => ({ to: '+442079460911', message: 'x', from: e164 })],
    ['PATCH /calltracking/ddis', (e164: string) => [{ e164, campaign_id: 0 }]],
    ['POST /ringgroups', (e164: string) => ({ name: 'x', ddis: [e164] })],
    ['POST /queues', (e164: string) => ({ name: 'x', ddis: [e164] })],
    ['POST /ivrs', (e164: string) => ({ name: 'x', ddis: [e164] })],
    ['POST /conferences', (e164: string) => ({ name: 'x', ddis: [e164] })],
    ['POST /callmeback/settings', (e164: string) => ({ name: 'x', ddi_e164: e164 })],
  ])('%s with a number', async (route, body) => {
    const house = new House(door);
    const [root] = house.usersOf(1);
    const [method = '', path = ''] = route.split(' ');
    const [mine, theirs] = [house.dump(1), house.dump(2)];
    const answers = [];
    for (const number of ['442079460201', '442079460998']) {
      answers.push(faceless(await house.ask(method, path, root, body(`+${number}`)), number));
      expect([house.dump(1), house.dump(2)]).toEqual([mine, theirs]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect([400, 404]).toContain(answers[0]?.[0]);
  });
});
