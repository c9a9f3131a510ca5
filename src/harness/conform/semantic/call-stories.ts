// The calls that checks look at, each made once in a run: answered with everything that can happen, unanswered, busy, from and to outside.
import type { CategoryRow } from '../../../contract/events.ts';
import type { Setting } from '../call-stage.ts';
import type { Bench } from '../check.ts';
import { CheckEnd, unevaluable } from '../finding.ts';
import {
  aftermath,
  type CallFacts,
  CHANGES,
  callsBefore,
  callTo,
  everyCategory,
  idInEvents,
  liveCall,
  SECOND_MS,
} from './call-story.ts';

/** Somebody on the public network: a number that Ofcom keeps for drama. */
export const OUTSIDE = '+442079460931';

const COLLEAGUES: Setting['cast'] = { caller: { user: 'first' }, callee: { user: 'second' } };

/** One webhook for each category where each can be set up, else the one URL that gets everything. */
export function webhooksOf({ target }: Bench): Readonly<Record<string, readonly CategoryRow['id'][]>> {
  if (target.webhooks === undefined) return {};
  return target.webhooks.how === 'control' ? everyCategory : { [CHANGES]: [CHANGES] };
}

/** The story's own webhook, if there are any. */
export function changesOf({ target }: Bench): string | undefined {
  return target.webhooks === undefined ? undefined : CHANGES;
}

/**
 * The first user calls the second, who answers after 2 s. They talk for a second, a recording begins, a key is pressed, the caller holds
 * for a second, resumes, and hangs up: 8 s in all, 6 of them connected.
 */
export function answered(bench: Bench): Promise<CallFacts> {
  return bench.once('story: answered', (inner) =>
    inner.stage({ cast: COLLEAGUES, webhooks: webhooksOf(inner) }, async (stage) => {
      const lacks = (what: 'hold' | 'recordings' | 'digits'): boolean => inner.target.lacks?.includes(what) === true;
      const known = await callsBefore(inner);
      const begun = await stage.now();
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.must('callee', 'ringing');
      const parties = ['caller', 'callee'].map((name) => stage.phone(name).number);
      const id = (await callTo(inner, stage.user('callee'), known, parties))?.id;
      const live: { -readonly [Time in keyof CallFacts['live']]: CallFacts['live'][Time] } = {};
      const look = async (time: keyof CallFacts['live']): Promise<void> => {
        const call = await liveCall(inner, id);
        if (call !== undefined) live[time] = call;
      };
      await look('ringing');
      await stage.pass(2 * SECOND_MS);
      await stage.act('callee', 'answer');
      await stage.must('caller', 'connected');
      const answeredAt = await stage.now();
      await look('connected');
      await stage.pass(SECOND_MS);
      if (!lacks('recordings') && id !== undefined)
        await inner.ask('updateCall', { path: { id }, body: { monitor_state: 'start' } });
      if (!lacks('digits')) await stage.act('caller', 'digits', { digits: '5' });
      await stage.pass(2 * SECOND_MS);
      if (!lacks('hold')) {
        await stage.act('caller', 'hold');
        await stage.must('caller', 'holding');
        await look('held');
        await stage.pass(2 * SECOND_MS);
        await stage.act('caller', 'resume');
        await stage.must('caller', 'connected');
      }
      await look('resumed');
      await stage.pass(SECOND_MS);
      await stage.act('caller', 'hang_up');
      const ended = await stage.now();
      await stage.is('callee', 'idle');
      const { over, ...afterwards } = await aftermath(inner, stage, id, changesOf(inner));
      return {
        ...{ id, live, ...afterwards, deliveries: stage.deliveries },
        messages: { caller: await stage.messages('caller'), callee: await stage.messages('callee') },
        times: { begun, answered: answeredAt, ended, over },
        ...{ caller: stage.user('caller'), callee: stage.user('callee') },
      };
    }),
  );
}

interface ShortCall {
  readonly cast?: Setting['cast'];
  readonly conduct?: Setting['conduct'];
  /** What happens until the call is over. */
  readonly play: Parameters<typeof onShortStage>[1];
}

/** A call in which little is looked at while it lasts. */
function short(bench: Bench, key: string, { cast = COLLEAGUES, conduct = {}, play }: ShortCall): Promise<CallFacts> {
  return bench.once(`story: ${key}`, (inner) =>
    onShortStage({ bench: inner, setting: { cast, conduct, webhooks: webhooksOf(inner) } }, play),
  );
}

type Stage = Parameters<Parameters<Bench['stage']>[1]>[0];

interface ShortPlay {
  readonly bench: Bench;
  readonly stage: Stage;
  /** Notes which call it is, once it is under way. */
  readonly seen: () => Promise<void>;
}

function onShortStage(
  { bench, setting }: { readonly bench: Bench; readonly setting: Setting },
  play: (tools: ShortPlay) => Promise<void>,
): Promise<CallFacts> {
  return bench.stage(setting, async (stage) => {
    const known = await callsBefore(bench);
    const begun = await stage.now();
    let id: unknown;
    const users = Object.keys(setting.cast).filter((name) => 'user' in (setting.cast[name] ?? {}));
    const parties = Object.keys(setting.cast).map((name) => stage.phone(name).number);
    const seen = async (): Promise<void> => {
      id ??= (await callTo(bench, stage.user(users.at(-1) ?? 'callee'), known, parties))?.id;
    };
    await play({ bench, stage, seen });
    const ended = await stage.now();
    const number = stage.phone(Object.keys(setting.cast)[users.includes('callee') ? 1 : 0] ?? 'callee').number;
    id ??= idInEvents(stage.deliveries, number, parties);
    const { over, ...afterwards } = await aftermath(bench, stage, id, changesOf(bench));
    const messages = await Promise.all(
      Object.keys(setting.cast).map(async (name) => [name, await stage.messages(name)] as const),
    );
    const userOf = (name: string) => (users.includes(name) ? stage.user(name) : undefined);
    return {
      ...{ id, live: {}, ...afterwards, deliveries: stage.deliveries, messages: Object.fromEntries(messages) },
      ...{ times: { begun, ended, over }, caller: userOf('caller'), callee: userOf('callee') },
    };
  });
}

/** The callee answers at once, the caller holds, and the callee hangs up after 3 s. */
export function endedByCallee(bench: Bench): Promise<CallFacts> {
  return short(bench, 'ended by the callee', {
    play: async ({ stage, bench: inner, seen }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.act('callee', 'answer');
      await stage.must('caller', 'connected');
      await seen();
      await stage.pass(SECOND_MS);
      if (inner.target.lacks?.includes('hold') !== true) {
        await stage.act('caller', 'hold');
        await stage.must('caller', 'holding');
      }
      await stage.pass(2 * SECOND_MS);
      await stage.act('callee', 'hang_up');
      await stage.is('caller', 'idle');
    },
  });
}

/** The callee's phone rings for 3 s, then the caller gives up. */
export function unanswered(bench: Bench): Promise<CallFacts> {
  return short(bench, 'unanswered', {
    play: async ({ stage, seen }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.must('callee', 'ringing');
      await seen();
      await stage.pass(3 * SECOND_MS);
      await stage.act('caller', 'hang_up');
      await stage.is('callee', 'idle');
    },
  });
}

/** The callee's phone is busy. */
export function busy(bench: Bench): Promise<CallFacts> {
  return short(bench, 'busy', {
    conduct: { callee: 'busy' },
    play: async ({ stage }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.is('caller', 'idle');
      await stage.pass(SECOND_MS);
    },
  });
}

/** A user calls a number outside that is busy. */
export function failedOutside(bench: Bench): Promise<CallFacts> {
  return short(bench, 'failed outside', {
    cast: { callee: { outside: OUTSIDE }, caller: { user: 'first' } },
    conduct: { callee: 'busy' },
    play: async ({ stage }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.is('caller', 'idle');
      await stage.pass(SECOND_MS);
    },
  });
}

/** A user calls a number outside, which answers after a second; 2 s later the user hangs up. */
export function answeredOutside(bench: Bench): Promise<CallFacts> {
  return short(bench, 'answered outside', {
    cast: { callee: { outside: OUTSIDE }, caller: { user: 'first' } },
    play: async ({ stage, seen }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.must('callee', 'ringing');
      await stage.pass(SECOND_MS);
      await stage.act('callee', 'answer');
      await stage.must('caller', 'connected');
      await seen();
      await stage.pass(2 * SECOND_MS);
      await stage.act('caller', 'hang_up');
      await stage.is('callee', 'idle');
    },
  });
}

/** Somebody outside calls the second user's number, who answers after a second; 2 s later the user hangs up. */
export function calledFromOutside(bench: Bench): Promise<CallFacts> {
  if (bench.user('second').number === undefined)
    throw new CheckEnd(unevaluable('Nobody gave the public number of the second user.'));
  return short(bench, 'called from outside', {
    cast: { caller: { outside: OUTSIDE }, callee: { user: 'second' } },
    play: async ({ stage, seen }) => {
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.must('callee', 'ringing');
      await seen();
      await stage.pass(SECOND_MS);
      await stage.act('callee', 'answer');
      await stage.must('callee', 'connected');
      await stage.pass(2 * SECOND_MS);
      await stage.act('callee', 'hang_up');
      await stage.is('callee', 'idle');
    },
  });
}
