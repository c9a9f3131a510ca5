// Moving time over HTTP: answers come when all is quiet.
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStage, START } from './control.rig.ts';
import { createControl } from './control.ts';

let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

const move = (body: object) => api.post('/_sim/clock').send(body);

it('shows the time, the mode, what is under way and the next timer', async () => {
  expect((await api.get('/_sim/clock').expect(200)).body).toEqual({
    now: '2026-01-01T00:00:00.000Z',
    mode: 'manual',
    busy: 0,
    next: null,
  });
  stage.clock.after(1500, 'ring 101', () => {});
  expect((await api.get('/_sim/clock')).body.next).toEqual({ at: '2026-01-01T00:00:01.500Z', name: 'ring 101' });
});

describe('advance', () => {
  it.each([
    ['250ms', '2026-01-01T00:00:00.250Z'],
    ['5s', '2026-01-01T00:00:05.000Z'],
    ['15m', '2026-01-01T00:15:00.000Z'],
    ['2h', '2026-01-01T02:00:00.000Z'],
    ['1d', '2026-01-02T00:00:00.000Z'],
    ['0s', '2026-01-01T00:00:00.000Z'],
  ])('%s', async (advance, now) => {
    expect((await move({ advance }).expect(200)).body).toEqual({ now, mode: 'manual', busy: 0, next: null, fired: [] });
  });

  it('fires what falls due on the way, also what that sets', async () => {
    stage.clock.after(1000, 'first', () => void stage.clock.after(1000, 'second', () => {}));
    stage.clock.after(5000, 'later', () => {});
    expect((await move({ advance: '3s' })).body).toEqual({
      now: '2026-01-01T00:00:03.000Z',
      mode: 'manual',
      busy: 0,
      next: { at: '2026-01-01T00:00:05.000Z', name: 'later' },
      fired: ['first', 'second'],
    });
  });

  it('waits for requests in flight before time moves on', async () => {
    const order: string[] = [];
    stage.clock.after(1000, 'send', () => {
      const release = stage.clock.hold('io');
      setTimeout(() => {
        order.push(`answered at ${stage.clock.now() - START}`);
        stage.clock.after(500, 'react', () => order.push(`reacted at ${stage.clock.now() - START}`));
        release();
      }, 20);
    });
    const { body } = await move({ advance: '10s' });
    expect(body).toMatchObject({ fired: ['send', 'react'], busy: 0, now: '2026-01-01T00:00:10.000Z' });
    expect(order).toEqual(['answered at 1000', 'reacted at 1500']);
  });

  it('moves of several requests follow each other', async () => {
    const both = await Promise.all([move({ advance: '1s' }), move({ advance: '1s' })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(stage.clock.now() - START).toBe(2000);
  });
});

describe('to', () => {
  it('the next timer, and no further', async () => {
    stage.clock.after(1000, 'a', () => void stage.clock.after(0, 'again', () => {}));
    stage.clock.after(9000, 'b', () => {});
    expect((await move({ to: 'next' })).body).toMatchObject({ fired: ['a', 'again'], now: '2026-01-01T00:00:01.000Z' });
    expect((await move({ to: 'next' })).body).toMatchObject({ fired: ['b'], next: null });
    expect((await move({ to: 'next' }).expect(200)).body.fired).toEqual([]);
  });

  it('idle: until only background timers are left', async () => {
    const refresh = () => void stage.clock.after(60_000, 'refresh', refresh, { background: true });
    refresh();
    stage.clock.after(150_000, 'call ends', () => {});
    expect((await move({ to: 'idle' })).body).toMatchObject({
      fired: ['refresh', 'refresh', 'call ends'],
      now: '2026-01-01T00:02:30.000Z',
      next: { name: 'refresh' },
    });
  });

  it('idle gives up after a day of a clock that is never idle', async () => {
    const tick = () => void stage.clock.after(3_600_000, 'tick', tick);
    tick();
    const { body } = await move({ to: 'idle' }).expect(200);
    expect(body.now).toBe('2026-01-02T00:00:00.000Z');
    expect(body.fired).toHaveLength(24);
  });

  it.each(['2026-01-01T08:00:00Z', '2026-01-01 08:00:00', '2026-01-01T09:00:00+01:00'])('the time %s', async (to) => {
    expect((await move({ to }).expect(200)).body.now).toBe('2026-01-01T08:00:00.000Z');
  });
});

describe('refusals', () => {
  it.each([
    [{ advance: '-1s' }, 'advance: expected a duration that is not negative: time never goes back'],
    [{ advance: 'soon' }, 'advance: expected a duration such as 250ms, 5s, 15m, 2h or 1d'],
    [{ advance: '5000d' }, 'advance: expected at most 366d'],
    [{ advance: 5 }, 'advance: expected text (250ms, 5s, 15m, 2h, 1d)'],
    [{ to: 'yesterday' }, 'to: expected next, idle or a time such as 2026-01-01T08:00:00Z'],
    [{ to: '2025-12-31T23:59:59Z' }, 'to: expected a time that is not before now, 2026-01-01T00:00:00.000Z'],
    [{ advance: '1s', to: 'next' }, 'body: expected either advance or to'],
    [{}, 'body: expected one of advance, to'],
  ])('%j', async (body, problem) => {
    const answer = await move(body).expect(400);
    expect(answer.body.errors).toEqual([problem]);
    expect(stage.clock.now()).toBe(START);
  });

  it('a clock that follows real time cannot be moved', async () => {
    const real = createStage(globalThis, { mode: 'real' });
    const { body } = await request(createControl(real.deps)).post('/_sim/clock').send({ advance: '1s' }).expect(409);
    expect(body.message).toBe('The clock follows real time and cannot be moved.');
    real.clock.close();
  });
});
