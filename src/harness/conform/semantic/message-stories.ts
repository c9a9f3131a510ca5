// Stories without a conversation: a text that comes from outside, a queue in which nobody answers.

import { reasonOf } from '../../run/control-client.ts';
import type { Delivery } from '../../run/inbox.ts';
import type { TargetUser } from '../../target/target.ts';
import type { Bench } from '../check.ts';
import { CheckEnd, unevaluable } from '../finding.ts';
import { OUTSIDE, webhooksOf } from './call-stories.ts';
import { AFTERWARDS_MS, CHANGES, callsBefore, callTo, idsInEvents, SECOND_MS } from './call-story.ts';
import type { EventBody } from './event-facts.ts';

export interface TextFacts {
  readonly message: string;
  readonly to: string;
  readonly receiver: TargetUser;
  /** Events of it at the webhook of texts. */
  readonly events: readonly EventBody[];
  readonly deliveries: readonly Delivery[];
  /** On the target's clock, ms since 1970. */
  readonly times: { readonly begun: number; readonly over: number };
}

/** Somebody outside sends a text to the number of the second user. */
export function receivedText(bench: Bench): Promise<TextFacts> {
  const receiver = bench.user('second');
  const { number: to } = receiver;
  if (to === undefined) throw new CheckEnd(unevaluable('Nobody gave the public number of the second user.'));
  return bench.once('story: text', (inner) =>
    inner.stage({ cast: { sender: { outside: OUTSIDE } }, webhooks: webhooksOf(inner) }, async (stage) => {
      const message = `Ten o'clock? ${inner.random.token(6)} äöü €`;
      const begun = await stage.now();
      const sent = await inner.control.ask('POST', '/sms', { from: OUTSIDE, to, text: message });
      if (sent.status >= 300) throw new CheckEnd(unevaluable(`No text can be sent: ${reasonOf(sent)}`));
      const isText = ({ webhook, event }: Delivery): boolean => webhook === 'sms_received' && event !== '';
      await stage.until(
        () => stage.deliveries.some(isText),
        inner.target.time === 'manual' ? SECOND_MS : AFTERWARDS_MS,
      );
      await stage.pass(SECOND_MS);
      const events = stage.deliveries.flatMap((one) => (isText(one) && one.body !== undefined ? [one.body] : []));
      return { message, to, receiver, events, deliveries: stage.deliveries, times: { begun, over: await stage.now() } };
    }),
  );
}

export interface QueueFacts {
  readonly queue: { readonly id: unknown; readonly number: unknown };
  /** Of the calls between the caller, the queue and the agent; none when neither GET /calls nor the events tell them. */
  readonly ids: readonly unknown[];
  readonly deliveries: readonly Delivery[];
}

/** The first user calls a queue in which the second is the agent, and gives up while the agent's phone rings. */
export function abandonedQueue(bench: Bench): Promise<QueueFacts> {
  return bench.once('story: queue', (inner) =>
    inner.stage(
      { cast: { caller: { user: 'first' }, agent: { user: 'second' } }, webhooks: webhooksOf(inner) },
      async (stage) => {
        const users = [{ id: stage.user('agent').id, status: true }];
        const queue = await inner.make('createQueue', { name: `Queue ${inner.random.token(4)}`, users });
        const known = await callsBefore(inner);
        const people = ['caller', 'agent'].flatMap((name) => [
          stage.phone(name).number,
          ...numbersOf(stage.user(name)),
        ]);
        const parties = queue.number === undefined ? people : [...people, String(queue.number)];
        await stage.act('caller', 'call', { to: String(queue.number) });
        await stage.must('agent', 'ringing');
        const listed = (await callTo(inner, stage.user('caller'), known, parties))?.id;
        const ids = (): unknown[] =>
          [listed, ...idsInEvents(stage.deliveries, parties)].filter((id) => id !== undefined);
        await stage.pass(2 * SECOND_MS);
        await stage.act('caller', 'hang_up');
        await stage.is('agent', 'idle');
        const isMissed = ({ webhook, event, body }: Delivery): boolean =>
          webhook === CHANGES && event === 'call.missed' && body?.context === 'QUEUE' && isOneOf(ids(), body.call_id);
        await stage.until(
          () => stage.deliveries.some(isMissed),
          inner.target.time === 'manual' ? SECOND_MS : AFTERWARDS_MS,
        );
        await stage.pass(SECOND_MS);
        return { queue: { id: queue.id, number: queue.number }, ids: ids(), deliveries: stage.deliveries };
      },
    ),
  );
}

function numbersOf({ ext, number }: TargetUser): string[] {
  return [ext, number].filter((one) => one !== undefined);
}

/** Where none are known, any may be. */
function isOneOf(ids: readonly unknown[], id: unknown): boolean {
  return ids.length === 0 || ids.map(String).includes(String(id));
}
