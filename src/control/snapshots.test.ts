// Snapshots over the control API: kept by number, as many as there may be.
import request from 'supertest';
import { beforeEach, expect, it } from 'vitest';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

it('are taken, listed with their times, restored more than once, and removed', async () => {
  expect((await api.get('/_sim/snapshots').expect(200)).body).toEqual({ data: [], total: 0 });
  const first = { id: 1, at: '2026-01-01T00:00:00.000Z' };
  expect((await api.post('/_sim/snapshots').expect(201)).body).toEqual(first);
  stage.clock.advanceTo(stage.clock.now() + 90_000);
  const second = { id: 2, at: '2026-01-01T00:01:30.000Z' };
  expect((await api.post('/_sim/snapshots').expect(201)).body).toEqual(second);
  expect((await api.get('/_sim/snapshots').expect(200)).body).toEqual({ data: [first, second], total: 2 });
  for (const _ of [1, 2]) expect((await api.post('/_sim/snapshots/1/restore').expect(200)).body).toEqual(first);
  expect(stage.restored).toEqual([1_767_225_600_000, 1_767_225_600_000]);
  await api.delete('/_sim/snapshots/1').expect(204);
  expect((await api.get('/_sim/snapshots').expect(200)).body).toEqual({ data: [second], total: 1 });
});

it('that are not there are 404, and change nothing', async () => {
  const { body } = await api.post('/_sim/snapshots/7/restore').expect(404);
  expect(body).toEqual({ message: 'There is no snapshot 7.', errors: ['There is no snapshot 7.'] });
  expect((await api.delete('/_sim/snapshots/one').expect(404)).body.message).toBe('There is no such snapshot.');
  expect(stage.restored).toEqual([]);
});

it('are twenty at most: one more is 409 until one is removed, and numbers are not used twice', async () => {
  for (let count = 0; count < 20; count += 1) await api.post('/_sim/snapshots').expect(201);
  const { body } = await api.post('/_sim/snapshots').expect(409);
  expect(body.message).toBe('There are 20 snapshots, and no more are kept: remove one first.');
  await api.delete('/_sim/snapshots/20').expect(204);
  expect((await api.post('/_sim/snapshots').expect(201)).body.id).toBe(21);
});

it('let the journal be read from the last restore on', async () => {
  stage.journal.append('event', { callId: 1 });
  stage.journal.append('control.reset');
  stage.journal.append('event', { callId: 2 });
  stage.journal.append('control.restore');
  stage.journal.append('event', { callId: 3 });
  const { body } = await api.get('/_sim/journal').expect(200);
  expect(body.data.map((entry: { call_id: number }) => entry.call_id)).toEqual([3]);
});
