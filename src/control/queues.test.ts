// Queues in the control API: seen as they are, agents logged in and out, what is not there said so.
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { QueueView } from '../pbx/face.ts';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

const AGENT = { user_id: 10000002, ext: '102', status: true, state: 'free', taken: 3 } as const;
const SUPPORT: QueueView = {
  ...{ queue_id: 7, customer_id: 1, name: 'Support', agents: [AGENT] },
  callers: [{ call_id: 12, position: 1, waited_s: 30, from: '101', state: 'waiting' }],
};

describe('/_sim/queues', () => {
  let api: ReturnType<typeof request>;
  let view: QueueView;

  beforeEach(() => {
    const { deps } = createStage(globalThis);
    view = SUPPORT;
    const queues = {
      view: (id: number) => (id === 7 ? view : undefined),
      login: (_: number, userId: number, status: boolean) => {
        view = { ...view, agents: [{ ...AGENT, status, state: status ? 'free' : 'logged_out' }] };
        return userId === AGENT.user_id;
      },
    };
    api = request(createControl({ ...deps, exchange: { ...deps.exchange, queues } }));
  });

  it('shows who waits and what each agent does', async () => {
    const { body } = await api.get('/_sim/queues/7').expect(200);
    expect(body).toEqual(SUPPORT);
    const missing = await api.get('/_sim/queues/8').expect(404);
    expect(missing.body.message).toBe('There is no queue 8.');
    await api.get('/_sim/queues/seven').expect(404);
  });

  it('logs agents in and out', async () => {
    const { body } = await api.put('/_sim/queues/7/agents/10000002').send({ status: false }).expect(200);
    expect(body.agents).toEqual([{ ...AGENT, status: false, state: 'logged_out' }]);
    const stranger = await api.put('/_sim/queues/7/agents/5').send({ status: true }).expect(404);
    expect(stranger.body.message).toBe('User 5 is no agent of queue 7.');
    await api.put('/_sim/queues/8/agents/10000002').send({ status: true }).expect(404);
    await api.put('/_sim/queues/7/agents/10000002').send({ status: 'yes' }).expect(400);
    await api.put('/_sim/queues/7/agents/10000002').send({}).expect(400);
  });
});
