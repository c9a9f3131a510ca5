// Routing rules over HTTP: one order without gaps, and nothing that cannot be done. What a rule says is told in store/.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Story } from './story.rig.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

const order = async () => (await story.list('/routingrules', { sort: 'pos' })).map(({ id, pos }) => [id, pos]);
const block = { action: 'block', direction: 'in' };

describe('a routing rule', () => {
  it('is written with arrays and words, and read as text and numbers', async () => {
    const { body } = await story
      .post('/routingrules', {
        ...{ source: ['+442079460911', 10_000_003, 'group:10000001'], destination: ['4420*'], time_interval: [12] },
        ...{ action: 'redirect:I:10000001', direction: 'out' },
      })
      .expect(201);
    story.fits('routingrules', body.data);
    expect(body).toEqual({
      data: {
        ...{ id: 10_000_002, customer: 1, pos: 2, action: 'redirect:I:10000001', direction: 1, final_dst: true },
        ...{ source: '+442079460911,10000003,group:10000001', destination: '4420*', time_interval: '12' },
      },
      links: { self: '/v1.1/pbx/routingrules/10000002' },
    });
  });

  it('is written in the read form as well, and found by either', async () => {
    const written = {
      source: '+15550100,+15550101',
      time_interval: 'mon-fri@09:00-17:00,sat',
      direction: 0,
      action: 'block',
    };
    const { body } = await story.post('/routingrules', written).expect(201);
    expect(body.data).toMatchObject(written);
    for (const value of ['in', 0]) {
      const found = await story.list('/routingrules', { filter: [{ property: 'direction', operator: 'eq', value }] });
      expect(found.map(({ id }) => id)).toEqual([10_000_002]);
    }
  });

  it('keeps its direction, whatever a change says', async () => {
    const { body } = await story.patch('/routingrules/10000001', { direction: 'in', action: 'redirect:Q:10000001' });
    expect(body.data).toMatchObject({ direction: 1, action: 'redirect:Q:10000001', final_dst: true, pos: 1 });
    expect((await story.patch('/routingrules/10000001', { source: [] })).body.data).toMatchObject({ source: '' });
  });

  it.each([
    [
      { action: 'allow' },
      ['action: expected block, or redirect:<letter>:<id> with one of the letters U, V, R, I, Q, C'],
    ],
    [{ action: 'redirect:U:20000001' }, ['action: there is nothing with the id 20000001 that U leads to']],
    [
      { source: ['reception'] },
      ['source[0]: expected a number, a number with * at its end, an id, anonymous or group:<id>'],
    ],
    [{ destination: ['101', 'group:20000001'] }, ['destination[1]: there is no user group 20000001 in this account']],
    [
      { source: ['1,2'] },
      [expect.stringMatching(/^source\[0\]: expected an integer .* or text \(text without a comma\), got "1,2"$/)],
    ],
    [
      { time_interval: ['noon'] },
      ['time_interval[0]: expected an id, or days with times in UTC as in mon-fri@09:00-17:30'],
    ],
    [{ pos: -1 }, ['pos: expected an integer (at least 0), got -1']],
  ])('%j is refused', async (members, errors) => {
    await story.refused(['post', '/routingrules', { ...block, ...members }], 400, errors);
    await story.refused(['patch', '/routingrules/10000001', members], 400, errors);
  });

  it('needs an action and a direction', async () => {
    await story.refused(['post', '/routingrules', { source: [] }], 400, [
      expect.stringMatching(/^action: is missing/),
      expect.stringMatching(/^direction: is missing, expected one of in, out, or one of 0, 1/),
    ]);
    await story.refused(['post', '/routingrules', { ...block, direction: 'both' }], 400);
  });

  it('of another account does not exist', async () => {
    await story.refused(['get', '/routingrules/20000001'], 404, ['There is no such routing rule.']);
    await story.refused(['patch', '/routingrules/20000001', { pos: 1 }], 404, ['There is no such routing rule.']);
    await story.refused(['post', '/routingrules', block], 403, undefined, 'restricted');
  });
});

describe('the order of rules', () => {
  it('makes room, closes gaps, and begins with 1', async () => {
    await story.post('/routingrules', block).expect(201);
    await story.post('/routingrules', { ...block, pos: 1 }).expect(201);
    expect(await order()).toEqual([
      [10_000_003, 1],
      [10_000_001, 2],
      [10_000_002, 3],
    ]);
    expect((await story.patch('/routingrules/10000003', { pos: 2 })).body.data.pos).toBe(2);
    expect(await order()).toEqual([
      [10_000_001, 1],
      [10_000_003, 2],
      [10_000_002, 3],
    ]);
    expect((await story.patch('/routingrules/10000001', { pos: 99 })).body.data.pos).toBe(3);
    expect(await order()).toEqual([
      [10_000_003, 1],
      [10_000_002, 2],
      [10_000_001, 3],
    ]);
    expect((await story.patch('/routingrules/10000003', { pos: 0 })).body.data.pos).toBe(3);
    expect(await order()).toEqual([
      [10_000_002, 1],
      [10_000_001, 2],
      [10_000_003, 3],
    ]);
  });

  it('is 1 to n after whatever was made and moved, with the last one where it was put', async () => {
    const wish = fc.record({ which: fc.nat({ max: 6 }), pos: fc.nat({ max: 8 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 12 }), async (wishes) => {
        story = new Story();
        for (const { which, pos } of wishes) {
          const count = story.stage.store.routingrules.count(1);
          const isNew = which >= count;
          const last = isNew ? count + 1 : count;
          const answer = isNew
            ? await story.post('/routingrules', { ...block, pos })
            : await story.patch(`/routingrules/${10_000_001 + which}`, { pos });
          expect(answer.body.data.pos).toBe(pos < 1 || pos > last ? last : pos);
          const places = [...story.stage.store.routingrules.list(1)].map((rule) => rule.pos);
          expect(places.sort()).toEqual(places.map((_, index) => index + 1));
        }
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  it('ends where an account has as many as it may have', async () => {
    const { routingrules } = story.stage.store;
    const [seeded] = routingrules.list(1);
    if (seeded === undefined) expect.fail('the seed has no rule');
    for (let pos = 2; pos <= 1000; pos += 1) routingrules.insert(1, { ...seeded, id: routingrules.nextId(1), pos });
    await story.refused(['post', '/routingrules', block], 400, [
      'action: the account has 1000 routing rules, the most that it may have',
    ]);
    await story.patch('/routingrules/10000001', { pos: 500 }).expect(200);
  });
});
