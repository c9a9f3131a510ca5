// Every scenario can fail: with a deliberate fault of the kind that it exists to catch it does, and says what is wrong.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadYaml } from '../harness/language/load.ts';
import { runPlans, type TargetLease } from '../harness/run/run-plans.ts';
import type { ScenarioResult } from '../report/results.ts';
import { filesIn } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';
import { api, type Fault, field, type Story, webhook } from './fault-story.ts';
import { flowStories } from './flow-fault-stories.ts';
import { messageStories } from './message-fault-stories.ts';
import { userStories } from './user-fault-stories.ts';
import { voiceStories } from './voice-fault-stories.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));
const plans = (
  await Promise.all(
    (await filesIn([FOLDER], ['.yaml'], 'files')).map((file) => loadYaml(file, (path) => readFile(path, 'utf8'))),
  )
).flatMap((built) => built.plans);

const stories: readonly Story[] = [
  ...userStories,
  ...voiceStories,
  ...messageStories,
  ...flowStories,
  [
    'answer-and-hang-up[side=caller]',
    webhook('call.hangup', field('/terminated_by', 'callee')),
    '11',
    'hangup, call.hangup with "caller"',
    '"callee"',
  ],
  [
    'answer-and-hang-up[side=callee]',
    webhook('call.hangup', { do: 'drop' }),
    '11',
    'hangup: 1 call.hangup',
    '0; arrived: call.initial, call.ringing, call.connected',
  ],
  [
    'busy',
    webhook('call.missed', field('/event_name', 'call.failed')),
    '4',
    'no other events than call.initial, call.missed',
    'call.failed; arrived: call.initial, call.failed',
  ],
  [
    'declined',
    webhook('call.ringing', { do: 'drop' }),
    '4',
    'ringing: 1 call.ringing',
    '0; arrived: call.initial, call.missed',
  ],
  [
    'ring-group-answered',
    api('listCdrs', field('/data/0/context', 'USER_LOCAL')),
    '12',
    'record of the call with "RING_GROUP"',
    '"USER_LOCAL"',
  ],
  [
    'queue-answered',
    webhook('call.initial', field('/context', 'LOCAL_USER')),
    '13',
    'waits, call.initial with "QUEUE"',
    '"LOCAL_USER"',
  ],
  [
    'queue-longest-wait',
    webhook('call.missed', field('/context', 'LOCAL_USER')),
    '12',
    'missed, call.missed with "QUEUE"',
    '"LOCAL_USER"',
  ],
  [
    'queue-caller-hangs-up',
    webhook('call.missed', field('/terminated_by', 'callee')),
    '7',
    'agents, call.missed with "caller"',
    '"callee"',
  ],
  [
    'queue-hash-exit',
    { match: { at: 'sip', method: 'INFO', direction: 'in' }, action: { do: 'drop' } },
    '7',
    'colleague is ringing',
    'registered, no call',
  ],
  [
    'queue-next-queue',
    webhook('call.hangup', field('/context', 'LOCAL_USER')),
    '11',
    'left, call.hangup with "QUEUE"',
    '"LOCAL_USER"',
  ],
  [
    'queue-agent-declines',
    webhook('call.missed', { do: 'drop' }),
    '11',
    'declined: 1 call.missed',
    '0; arrived: call.initial, call.initial, call.initial, call.ringing, call.ringing, call.connected, call.connected, call.hangup, call.hangup',
  ],
  [
    'queue-agent-drops',
    webhook('call.hangup', field('/event_name', 'call.missed')),
    '13',
    'no call.missed',
    'call.connected, call.missed, call.initial, call.ringing, call.connected',
  ],
  [
    'queue-takes-turns[strategy=round_robin]',
    { match: { at: 'sip', method: 'BYE', direction: 'out' }, action: { do: 'drop' } },
    '6',
    'agent is idle',
    'connected, with 101',
  ],
  [
    'queue-takes-turns[strategy=fewest_calls]',
    api('createQueue', { do: 'status', status: 403 }),
    '1',
    'createQueue answers 201',
    '403 {',
  ],
  [
    'queue-takes-turns[strategy=longest_idle]',
    { match: { at: 'sip', method: 'BYE', direction: 'in' }, action: { do: 'drop' } },
    '6',
    'agent is idle',
    'connected, with 101',
  ],
  [
    'queue-wrap-up',
    api('listCdrs', field('/data/0/duration', 60)),
    '15',
    'record of the call with at least 6 and at most 9',
    '60',
  ],
  ['queue-afterwards', api('listCalls', field('/data/0/parent_id', 0)), '10', 'listCalls with 10000401', '0'],
  [
    'queue-login',
    webhook('call.connected', field('/context', 'LOCAL_USER')),
    '12',
    'taken, call.connected with "QUEUE"',
    '"LOCAL_USER"',
  ],
  ['conference-pin', api('listCalls', field('/total', 3)), '11', 'listCalls with 2', '3'],
  [
    'conference-wrong-pin',
    { match: { at: 'sip', method: 'BYE', direction: 'out' }, action: { do: 'drop' } },
    '7',
    'caller is idle',
    'connected, with 902',
  ],
  ['no-answer', api('listCdrs', field('/data/0/type', 'I')), '8', 'record of the call with "M"', '"I"'],
  [
    'caller-cancels',
    { match: { at: 'sip', method: 'CANCEL', direction: 'out' }, action: { do: 'drop' } },
    '7',
    'at least 1 487 to INVITE sent at callee',
    '0; seen: > REGISTER, < 401 (REGISTER), > REGISTER, < 200 (RE',
  ],
  [
    'not-registered',
    webhook('call.missed', field('/event_name', 'call.ringing')),
    '6',
    'no call.ringing',
    'arrived: call.ringing',
  ],
  [
    'hold-and-resume[holder=caller]',
    webhook('call.hold', { do: 'drop' }),
    '11',
    'hold: 1 call.hold',
    '0; arrived: call.initial, call.ringing, call.connected, call.unhold, call.hangup',
  ],
  [
    'hold-and-resume[holder=callee]',
    api('getCall', field('/data/state', 4)),
    '5',
    'a live call that is ON_HOLD',
    'CONNECTED (4)',
  ],
  [
    'both-hold',
    webhook('call.hold', { do: 'reorder', ms: 60_000 }),
    '14',
    'hold before unhold, by arrival',
    'arrived: call.unhold, call.hold',
  ],
  [
    'blind-transfer-by-refer',
    { match: { at: 'sip', method: 'REFER', direction: 'in' }, action: { do: 'drop' } },
    '6',
    'target is ringing',
    'registered, no call',
  ],
  [
    'attended-transfer',
    webhook('call.hangup', field('/terminated_by', 'callee')),
    '16',
    'answered, call.hangup with "caller"',
    '"callee"',
  ],
  [
    'semi-attended-transfer',
    { match: { at: 'sip', method: 'REFER', direction: 'in' }, action: { do: 'drop' } },
    '6',
    'no live call',
    'RINGING',
  ],
  [
    'semi-attended-to-group',
    { match: { at: 'sip', method: 'REFER', direction: 'in' }, action: { do: 'drop' } },
    '10',
    'middle is idle',
    'connected',
  ],
  [
    'blind-transfer-busy',
    { match: { at: 'sip', method: 'NOTIFY', direction: 'out' }, action: { do: 'drop' } },
    '5',
    'middle is connected',
    'transferring',
  ],
  ['transferor-hangs-up', api('listCdrs', field('/data/0/dst', '102')), '13', 'record of the call with "103"', '"102"'],
  ['recall', api('getCall', field('/data/state', 6)), '9', 'a live call that is CONNECTED', 'HANGUP (6)'],
  ['blind-transfer-by-rest', api('updateCall', { do: 'status', status: 403 }), '2', 'updateCall answers 301', '403 {'],
  ['click-to-call', api('createCall', field('/links')), '1', 'createCall with type "object"', 'nothing'],
  [
    'outbound-failed[how=busy]',
    webhook('call.failed', field('/event_name', 'call.missed')),
    '3',
    'no call.missed',
    'arrived: call.initial, call.missed',
  ],
  [
    'outbound-failed[how=unavailable]',
    webhook('call.failed', field('/state', 'RINGING')),
    '3',
    'failed, call.failed with "FAILED"',
    '"RINGING"',
  ],
  [
    'outbound-failed[how=decline]',
    webhook('call.failed', { do: 'drop' }),
    '3',
    'failed: 1 call.failed',
    '0; arrived: call.initial',
  ],
  [
    'inbound-to-a-number',
    webhook('call.initial', field('/destination', 'out')),
    '8',
    'initial, call.initial with "in"',
    '"out"',
  ],
  [
    'digits',
    { match: { at: 'webhook', event: 'call.dtmf' }, action: { do: 'reorder', ms: 60_000 }, times: 1 },
    '6',
    'four before star, by arrival',
    'arrived: call.dtmf, call.dtmf',
  ],
  [
    'phone-vanishes',
    webhook('call.initial', field('/event_name', 'call.ringing')),
    '5',
    'no call.ringing',
    'arrived: call.ringing',
  ],
  ['two-calls-at-once', api('listCalls', field('/total', 3)), '2', 'listCalls with 2', '3'],
  ['login-ping-logout', api('ping', { do: 'status', status: 403 }, 1), '5', 'ping answers 401', '403 {'],
  ['token-expiry', api('ping', { do: 'status', status: 403 }, 2), '8', 'ping answers 401', '403 {'],
  ['login-refused', api('login', { do: 'status', status: 401 }, 1), '2', 'login answers 400', '401 {'],
  [
    'webhook-categories',
    webhook('sms.received', field('/user_id', 'ben')),
    '15',
    'every delivery valid by the contract: expected integer or null',
    'delivery 11, sms.received: "ben"',
  ],
  [
    'no-duplicate-events',
    webhook('call.connected', { do: 'duplicate' }),
    '9',
    'each event delivered once',
    'came 2 times',
  ],
];

async function runWith(id: string, fault: Fault): Promise<ScenarioResult | undefined> {
  const asked = plans.filter((plan) => plan.id === id);
  // What simulated phones cannot do is done by real ones, in real time.
  const driver = asked.every(({ drivers }) => drivers.includes('sim')) ? 'sim' : 'sip';
  const lease = async (): Promise<TargetLease> => {
    const leased = await leaseSimulator({ seed: 1, clock: driver === 'sim' ? 'manual' : 'real' });
    const set = await fetch(`${leased.target.control?.root}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    expect(set.status).toBe(201);
    return leased;
  };
  const options = { name: 'fresh simulator', driver, host: systemTime(), lease, replay: () => '' } as const;
  const { scenarios } = await runPlans(asked, options);
  return scenarios[0];
}

describe('a scenario with a fault', () => {
  it('is told for every scenario', () => {
    expect(stories.map(([id]) => id).sort()).toEqual(plans.map(({ id }) => id).sort());
  });

  it.each(stories)('%s fails for its own reason', async (id, fault, step, expected, actual) => {
    const result = await runWith(id, fault);
    const [failure] = result?.failures ?? [];
    expect([result?.verdict, failure?.step.number, failure?.expected]).toEqual(['fail', step, expected]);
    expect(failure?.actual).toContain(actual);
  });
});
