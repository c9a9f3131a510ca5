// Calls that the API itself moves: placed, answered, changed, transferred and ended by requests. Each is made once in a run.
import { valueAt } from '../../matching.ts';
import type { Delivery } from '../../run/inbox.ts';
import type { Bench, Members } from '../check.ts';
import { changesOf } from './call-stories.ts';
import { CHANGES, callsBefore, knownCall, liveCall, SECOND_MS } from './call-story.ts';

export interface PlacedFacts {
  /** The live call of the answer to POST /calls. */
  readonly created: Members;
  readonly status: number;
  /** Whether the phone of the user rang, and after its answer the destination's did. */
  readonly firstRang: boolean;
  readonly secondRang: boolean;
  readonly bothTalked: boolean;
  /** What GET /calls/{id} showed while the first phone rang, and after its answer. */
  readonly ringing: Members | undefined;
  readonly accepted: Members | undefined;
  /** Answer to a PATCH with labels, action_url and action_text. */
  readonly labelled: number;
  readonly deleted: number;
  readonly bothFree: boolean;
  /** What GET /calls/{id} answered after the DELETE. */
  readonly after: number;
  readonly deliveries: readonly Delivery[];
}

const webhooks = (bench: Bench) => (changesOf(bench) === undefined ? {} : { [CHANGES]: [CHANGES] as const });

/** POST /calls from the first user to the second; both answer; labels are put on; DELETE ends it. */
export function placed(bench: Bench): Promise<PlacedFacts> {
  return bench.once('story: placed', (inner) =>
    inner.stage(
      { cast: { caller: { user: 'first' }, callee: { user: 'second' } }, webhooks: webhooks(inner) },
      async (stage) => {
        const { id: from } = stage.user('caller');
        const answer = await inner.ask('createCall', { body: { to: stage.user('callee').ext, from: String(from) } });
        const created = (valueAt(answer.body, '/data') ?? {}) as Members;
        const { id } = created;
        const firstRang = await stage.is('caller', 'ringing');
        const ringing = await liveCall(inner, id);
        if (firstRang) await stage.act('caller', 'answer');
        const accepted = await liveCall(inner, id);
        const secondRang = await stage.is('callee', 'ringing');
        if (secondRang) await stage.act('callee', 'answer');
        const bothTalked = (await stage.is('callee', 'connected')) && (await stage.is('caller', 'connected'));
        await stage.pass(SECOND_MS);
        const body = { labels: [], action_url: 'https://crm.example/contacts/1', action_text: 'Open the contact' };
        const { status: labelled } = await inner.ask('updateCall', { path: { id }, body });
        const { status: deleted } = await inner.ask('deleteCall', { path: { id } });
        const bothFree = (await stage.is('callee', 'idle')) && (await stage.is('caller', 'idle'));
        await stage.pass(SECOND_MS);
        const { status: after } = await inner.ask('getCall', { path: { id } });
        const rang = { firstRang, secondRang, bothTalked, ringing, accepted };
        return {
          created,
          status: answer.status,
          ...rang,
          labelled,
          deleted,
          bothFree,
          after,
          deliveries: stage.deliveries,
        };
      },
    ),
  );
}

export interface TransferFacts {
  readonly status: number;
  readonly before: Members;
  /** Whether the phone of the new destination rang, talked, and the one who was left talked on. */
  readonly thirdRang: boolean;
  readonly thirdTalked: boolean;
  /** What GET /calls/{id} showed of the same id afterwards; undefined when it was gone. */
  readonly after: Members | undefined;
}

/** The first user's call with the second is transferred by the API to the third. */
export function transferred(bench: Bench): Promise<TransferFacts> {
  return bench.once('story: transferred', (inner) =>
    inner.stage(
      { cast: { caller: { user: 'first' }, callee: { user: 'second' }, third: { user: 'third' } } },
      async (stage) => {
        const known = await callsBefore(inner);
        await stage.act('caller', 'call', { to: 'callee' });
        await stage.act('callee', 'answer');
        await stage.must('caller', 'connected');
        const before = await knownCall(inner, stage.user('callee'), known);
        const { id } = before;
        const { status } = await inner.ask('updateCall', { path: { id }, body: { dst: stage.user('third').ext } });
        const thirdRang = await stage.is('third', 'ringing');
        if (thirdRang) await stage.act('third', 'answer');
        const thirdTalked = await stage.is('third', 'connected');
        await stage.pass(SECOND_MS);
        const after = await liveCall(inner, id);
        await stage.clear();
        return { status, before, thirdRang, thirdTalked, after };
      },
    ),
  );
}

export interface AnswerFacts {
  readonly status: number;
  readonly isConnected: boolean;
}

/** The second user's ringing call is answered by a PATCH of the second user. */
export function answeredByRest(bench: Bench): Promise<AnswerFacts> {
  return bench.once('story: answered by request', (inner) =>
    inner.stage({ cast: { caller: { user: 'first' }, callee: { user: 'second' } } }, async (stage) => {
      const known = await callsBefore(inner);
      await stage.act('caller', 'call', { to: 'callee' });
      await stage.must('callee', 'ringing');
      const { id } = await knownCall(inner, stage.user('callee'), known);
      const asking = { path: { id }, body: { state: 'CONNECTED' } };
      const hasKey = (inner.target.users.second?.key ?? null) !== null;
      const { status } = await inner.ask('updateCall', { ...asking, ...(hasKey ? { as: 'second' as const } : {}) });
      const isConnected = await stage.is('callee', 'connected');
      await stage.clear();
      return { status, isConnected };
    }),
  );
}
