// Steps at phones: acts, how calls are met, the state that a phone is in. Knows phones only by their interface.
import { parseDuration } from '../../../kernel/time.ts';
import type { ActOutcome, PhoneAct, PhoneView } from '../../drivers/phone-driver.ts';
import { conductOf } from '../../language/build.ts';
import type { ActStep, ActWord, ConductStep, PhoneStateWord, StateStep } from '../../language/document.ts';
import type { Difference } from '../difference.ts';
import type { Stage, StagePhone } from '../stage.ts';
import { not, outcomeOf, patienceOf, type StepOutcome, so } from './outcome.ts';

/** An act waits so long for the state that it needs. */
const READY_WITHIN = '10s';

/** What must be so before an act makes sense; the others can be tried at any time. */
const READY: Readonly<Partial<Record<ActWord, { readonly words: string; readonly is: (view: PhoneView) => boolean }>>> =
  {
    answer: { words: 'a call that rings', is: ({ calls }) => calls.some(({ state }) => state === 'ringing') },
    reject: { words: 'a call that rings', is: ({ calls }) => calls.some(({ state }) => state === 'ringing') },
    hold: {
      words: 'a connected call that is not held',
      is: ({ calls }) => calls.some(({ state, held }) => state === 'connected' && !held),
    },
    resume: { words: 'a call on hold', is: ({ calls }) => calls.some(({ held }) => held) },
    transfer: { words: 'a connected call', is: ({ calls }) => calls.some(({ state }) => state === 'connected') },
    join: {
      words: 'a call on hold and another one to join it with',
      is: ({ calls }) =>
        calls.some(({ held }) => held) &&
        calls.some(({ state, held }) => !held && (state === 'connected' || state === 'ringback')),
    },
    digits: { words: 'a connected call', is: ({ calls }) => calls.some(({ state }) => state === 'connected') },
    hang_up: { words: 'a call', is: ({ calls }) => calls.length > 0 },
  };

export async function runAct(step: ActStep, stage: Stage): Promise<StepOutcome> {
  const at = stage.phones.get(step.phone);
  if (at === undefined) return { expected: `a phone ${step.phone}`, actual: 'there is none' };
  const ready = READY[step.do];
  if (ready !== undefined) {
    const waited = await untilView(at, stage, step.within ?? READY_WITHIN, ready.is, `${ready.words} at ${step.phone}`);
    if (waited !== undefined) return waited;
  }
  if (step.after !== undefined) await stage.time.pass(parseDuration(step.after) ?? 0);
  const outcome = await perform(step, at, stage);
  if (!outcome.done) return { expected: `${step.phone} can ${step.do}`, actual: outcome.why };
  if (outcome.callId !== undefined) stage.calls.push(outcome.callId);
  if (step.capture === undefined) return undefined;
  if (outcome.callId === undefined) {
    return { expected: `a call id for ${step.capture.call_id}`, actual: 'this driver of phones does not learn it' };
  }
  stage.capture(step.capture.call_id, outcome.callId);
  return undefined;
}

function perform(step: ActStep, at: StagePhone, stage: Stage): Promise<ActOutcome> {
  // A captured extension may be an integer: groups, queues and the like have such numbers.
  const to = stage.dialled(String(step.to ?? ''), at);
  if (step.do === 'text') {
    return (
      at.outside?.text(to, step.message ?? '') ?? Promise.resolve({ done: false, why: 'Only somebody outside can.' })
    );
  }
  return at.phone.act(actOf(step, step.do, to));
}

function actOf(step: ActStep, act: Exclude<ActWord, 'text'>, to: string): PhoneAct {
  const { digits = '', offer, by, expires } = step;
  if (act === 'call') return { act, to, ...(offer === undefined ? {} : { offer }) };
  if (act === 'transfer') return { act, to };
  if (act === 'digits') return { act, digits };
  if (act === 'hold' || act === 'resume') return { act, ...(by === undefined ? {} : { by }) };
  if (act === 'register' && expires !== undefined) return { act, expires_s: (parseDuration(expires) ?? 0) / 1000 };
  return act === 'reject' ? { act, status: 603 } : { act };
}

export async function runConduct(step: ConductStep, stage: Stage): Promise<StepOutcome> {
  const at = stage.phones.get(step.phone);
  const { to, ...conduct } = conductOf(step.when_called);
  const met = { ...conduct, ...(to === undefined || at === undefined ? {} : { to: stage.dialled(to, at) }) };
  const outcome = await at?.phone.whenCalled(met);
  if (outcome?.done === true) return undefined;
  return { expected: `${step.phone} can be told how to meet calls`, actual: outcome?.why ?? 'there is no such phone' };
}

const STATES: Readonly<Record<PhoneStateWord, (view: PhoneView) => boolean>> = {
  registered: ({ registered }) => registered,
  unregistered: ({ registered }) => !registered,
  idle: ({ calls }) => calls.length === 0,
  calling: ({ calls }) => calls.some(({ state }) => state === 'calling'),
  ringback: ({ calls }) => calls.some(({ state }) => state === 'ringback'),
  ringing: ({ calls }) => calls.some(({ state }) => state === 'ringing'),
  connected: ({ calls }) => calls.some(({ state, held }) => state === 'connected' && !held),
  holding: ({ calls }) => calls.some(({ held }) => held),
};

export function runState(step: StateStep, stage: Stage): Promise<StepOutcome> {
  const at = stage.phones.get(step.phone);
  if (at === undefined) return Promise.resolve({ expected: `a phone ${step.phone}`, actual: 'there is none' });
  return untilView(at, stage, step.within, STATES[step.is], `${step.phone} is ${step.is}`, step.hold_for);
}

async function untilView(
  { phone }: StagePhone,
  stage: Stage,
  within: string | undefined,
  fits: (view: PhoneView) => boolean,
  expected: string,
  holdFor?: string,
): Promise<StepOutcome> {
  const look = async () => {
    const view = await phone.view();
    return fits(view) ? so(undefined) : not({ expected, actual: viewWords(view) });
  };
  return outcomeOf(await stage.time.until<undefined, Difference>(look, patienceOf(within, holdFor)));
}

function viewWords({ registered, calls }: PhoneView): string {
  if (calls.length === 0) return registered ? 'registered, no call' : 'no call';
  return calls.map(({ state, held, peer }) => `${state}${held ? ' and holding' : ''}, with ${peer}`).join('; ');
}
