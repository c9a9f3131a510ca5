// Checks of webhooks themselves: how one comes to be, is changed and switched off, what becomes of a delivery that fails.
import type { WebhookCategory } from '../../../contract/events.ts';
import type { ReceiverAnswer } from '../../events/receiver-answers.ts';
import { type ControlAnswer, reasonOf } from '../../run/control-client.ts';
import type { Delivery, Inbox } from '../../run/inbox.ts';
import type { CallStage } from '../call-stage.ts';
import type { Bench, Check } from '../check.ts';
import { blocked, CheckEnd, demand, doubtful, type Finding, met, observed, violated } from '../finding.ts';
import { AFTERWARDS_MS, CHANGES, SECOND_MS } from './call-story.ts';

/** Webhooks are made and changed by the control API, as people do it in the administration application. */
interface HookTools {
  readonly bench: Bench;
  readonly stage: CallStage;
  /** An address of the receiver that no webhook has yet. */
  readonly url: (name: string) => string;
  readonly save: (url: string, more?: Readonly<Record<string, unknown>>) => Promise<ControlAnswer>;
  readonly change: (saved: ControlAnswer, changes: Readonly<Record<string, unknown>>) => Promise<ControlAnswer>;
}

const EVENTS: readonly WebhookCategory[] = [CHANGES];

/** Plays with webhooks of its own; they are removed again. */
function hooked(id: string, clause: string, play: (tools: HookTools) => Promise<Finding>): Check {
  return {
    ...{ id: `webhooks/${id}`, clause, effects: ['dial'], needs: ['second user', 'phones', 'webhooks', 'control'] },
    lane: 'alone',
    run: (bench) =>
      bench.stage(
        { cast: { caller: { user: 'first' }, callee: { user: 'second' } }, webhooks: { [CHANGES]: [CHANGES] } },
        async (stage) => {
          const made: unknown[] = [];
          const save: HookTools['save'] = async (url, more = {}) => {
            const customerId = bench.user('first').customerId;
            const body = { name: `Check ${id}`, url, events: EVENTS, ...more };
            const saved = await bench.control.ask('POST', '/webhooks', {
              ...body,
              ...(customerId === undefined ? {} : { customer_id: customerId }),
            });
            if (saved.status === 201) made.push(idOf(saved));
            return saved;
          };
          const change: HookTools['change'] = (saved, changes) =>
            bench.control.ask('PATCH', `/webhooks/${String(idOf(saved))}`, changes);
          const url = (name: string): string => stage.inbox.url(name, EVENTS);
          try {
            return await play({ bench, stage, url, save, change });
          } finally {
            for (const webhook of made) await bench.control.ask('DELETE', `/webhooks/${String(webhook)}`);
          }
        },
      ),
  };
}

function idOf({ body }: ControlAnswer): unknown {
  return (body as { readonly id?: unknown }).id;
}

function isSaved({ status }: ControlAnswer): boolean {
  return status === 201;
}

function mustBeSaved(saved: ControlAnswer): void {
  if (!isSaved(saved)) throw new CheckEnd(blocked(`A webhook is not saved: ${reasonOf(saved)}`));
}

/** The callee is busy: a short call that leaves events. */
async function aCall({ stage, bench }: HookTools): Promise<void> {
  await stage.conduct('callee', 'busy');
  await stage.act('caller', 'call', { to: 'callee' });
  await stage.is('caller', 'idle');
  const isOver = (): boolean => got(stage.inbox, CHANGES).some(({ event }) => event !== 'call.initial');
  await stage.until(isOver, bench.target.time === 'manual' ? SECOND_MS : AFTERWARDS_MS);
  await stage.pass(SECOND_MS);
}

function got({ deliveries }: Inbox, webhook: string): Delivery[] {
  return deliveries.filter((one) => one.webhook === webhook);
}

const savingChecks: readonly Check[] = [
  hooked('https', 'HOOK-HTTPS', async ({ save, url }) => {
    const secure = url('secure');
    const control = await save(secure);
    mustBeSaved(control);
    // The receiver answers there in plain HTTP, too; what is refused for another reason shows nothing.
    const plain = await save(secure.replace(/^https:/, 'http:'));
    const isOwn = (refused: ControlAnswer): boolean => /https|scheme|secure/i.test(reasonOf(refused));
    if (!isSaved(plain))
      return isOwn(plain) ? met() : blocked(`It is refused, perhaps for another reason: ${reasonOf(plain)}`);
    // What never leaves the machine may be a setup for tests; nobody answers at the other URL, so the reason has to say it.
    const elsewhere = await save('http://webhooks.example/hook');
    if (isSaved(elsewhere) || !isOwn(elsewhere))
      return violated('A webhook with an http: URL is saved.', 'a refusal', plain.status);
    return doubtful(
      'A webhook with an http: URL is saved where it leads to the same machine.',
      'a refusal',
      plain.status,
    );
  }),
  hooked('test-event', 'HOOK-TEST-EVENT', async ({ stage, save, url }) => {
    mustBeSaved(await save(url('tested')));
    const tests = stage.inbox.tests.filter(({ webhook }) => webhook === 'tested');
    demand(tests.length > 0, 'Nothing came to the URL when the webhook was saved.', 'a test event', 'nothing');
    return met();
  }),
  hooked('test-body', 'HOOK-TEST-BODY', async ({ stage, save, url }) => {
    mustBeSaved(await save(url('tested')));
    const [test] = stage.inbox.tests.filter(({ webhook }) => webhook === 'tested');
    return test === undefined ? blocked('No test event came.') : observed('The test event.', test.text);
  }),
  hooked('no-answer', 'HOOK-NO-ANSWER', async ({ stage, save, url }) => {
    const dead = url('dead');
    stage.inbox.program('dead', ['reset', 'reset', 'reset', 'reset']);
    const saved = await save(dead);
    demand(!isSaved(saved), 'A webhook is saved whose URL does not respond.', 'a refusal', saved.status);
    stage.inbox.program('dead', []);
    // The same URL, once it responds.
    mustBeSaved(await save(dead));
    return met();
  }),
  hooked('refusing-url', 'HOOK-REFUSING-URL', async ({ stage, save, url }) => {
    const refusing = url('refusing');
    stage.inbox.program('refusing', [{ status: 500 }, { status: 500 }]);
    const saved = await save(refusing);
    return observed(
      isSaved(saved) ? 'A URL that answers 500 is saved.' : 'A URL that answers 500 is not saved.',
      saved.status,
    );
  }),
];

const editingChecks: readonly Check[] = [
  hooked('edit', 'HOOK-EDIT', async (tools) => {
    const { stage, save, change, url } = tools;
    const saved = await save(url('before'));
    mustBeSaved(saved);
    const edited = await change(saved, { url: url('since') });
    demand(edited.status === 200, 'The URL of a webhook cannot be changed.', 200, edited.status);
    for (const name of ['before', 'since']) stage.inbox.arm(name);
    await aCall(tools);
    demand(got(stage.inbox, 'since').length > 0, 'Nothing comes to the new URL.', 'events', 'nothing');
    demand(got(stage.inbox, 'before').length === 0, 'Events still come to the old URL.', 'nothing', 'events');
    return met();
  }),
  hooked('edit-categories', 'HOOK-EDIT-CATEGORIES', async (tools) => {
    const { stage, save, change, url } = tools;
    const saved = await save(url('choosy'));
    mustBeSaved(saved);
    const edited = await change(saved, { events: ['connected'] });
    demand(edited.status === 200, 'The categories of a webhook cannot be changed.', 200, edited.status);
    stage.inbox.arm('choosy');
    await aCall(tools);
    const names = got(stage.inbox, 'choosy').map(({ event }) => event);
    if (got(stage.inbox, CHANGES).length === 0) return blocked('No webhook got events.');
    demand(names.length === 0, 'Events of a category that was taken away still come.', 'nothing', names.join(', '));
    return met();
  }),
  hooked('deactivated', 'HOOK-DEACTIVATED', async (tools) => {
    const { stage, save, change, url } = tools;
    const saved = await save(url('silent'));
    mustBeSaved(saved);
    stage.inbox.arm('silent');
    const edited = await change(saved, { active: false });
    demand(edited.status === 200, 'A webhook cannot be deactivated.', 200, edited.status);
    await aCall(tools);
    if (got(stage.inbox, CHANGES).length === 0) return blocked('No webhook got events.');
    const names = got(stage.inbox, 'silent').map(({ event }) => event);
    demand(names.length === 0, 'A webhook that was deactivated gets events.', 'nothing', names.join(', '));
    return met();
  }),
  hooked('activated', 'HOOK-ACTIVATED', async (tools) => {
    const { stage, save, change, url } = tools;
    const saved = await save(url('again'));
    mustBeSaved(saved);
    stage.inbox.arm('again');
    await change(saved, { active: false });
    const edited = await change(saved, { active: true });
    demand(edited.status === 200, 'A webhook cannot be activated again.', 200, edited.status);
    await aCall(tools);
    if (got(stage.inbox, CHANGES).length === 0) return blocked('No webhook got events.');
    demand(
      got(stage.inbox, 'again').length > 0,
      'A webhook that was activated again gets nothing.',
      'events',
      'nothing',
    );
    return met();
  }),
];

async function both(tools: HookTools): Promise<readonly [readonly Delivery[], readonly Delivery[]]> {
  const { stage, save, url } = tools;
  mustBeSaved(await save(url('other')));
  stage.inbox.arm('other');
  await aCall(tools);
  return [got(stage.inbox, CHANGES), got(stage.inbox, 'other')];
}

/** What becomes of the first delivery when the receiver treats it so. */
async function mistreated(
  tools: HookTools,
  answer: ReceiverAnswer,
): Promise<{ readonly first: Delivery; readonly again: readonly Delivery[] }> {
  const { stage } = tools;
  stage.inbox.program(CHANGES, [answer]);
  await aCall(tools);
  // Where time can be moved, a minute costs nothing.
  await stage.pass(tools.bench.target.time === 'manual' ? 60 * SECOND_MS : 2 * SECOND_MS);
  const all = got(stage.inbox, CHANGES);
  const [first] = all;
  if (first === undefined) throw new CheckEnd(blocked('No event came.'));
  return {
    first,
    again: all.slice(1).filter(({ event, body }) => event === first.event && body?.call_id === first.body?.call_id),
  };
}

function fate(id: string, clause: string, what: string, answerOf: (stage: CallStage) => ReceiverAnswer): Check {
  return hooked(id, clause, async (tools) => {
    const { again } = await mistreated(tools, answerOf(tools.stage));
    const message =
      again.length > 0
        ? `A delivery that was ${what} comes again.`
        : `A delivery that was ${what} does not come again.`;
    return observed(message, `${again.length + 1} attempts`);
  });
}

const deliveryChecks: readonly Check[] = [
  hooked('several', 'HOOK-SEVERAL', async (tools) => {
    const [one, other] = await both(tools);
    if (one.length === 0) return blocked('No webhook got events.');
    const names = (list: readonly Delivery[]): string => list.map(({ event }) => event).join(', ');
    demand(names(one) === names(other), 'Two webhooks of one category get different events.', names(one), names(other));
    return met();
  }),
  hooked('same-id', 'HOOK-SAME-ID', async (tools) => {
    const [one, other] = await both(tools);
    if (one.length === 0 || other.length === 0) return blocked('Not both webhooks got events.');
    const strange = other.find(({ id, event }) => !one.some((each) => each.id === id && each.event === event));
    demand(strange === undefined, 'An event has another id at the second webhook.', one[0]?.id, strange?.id);
    return met();
  }),
  fate('retry', 'HOOK-RETRY', 'answered 500', () => ({ status: 500 })),
  hooked('retry-id', 'HOOK-RETRY-ID', async (tools) => {
    const { first, again } = await mistreated(tools, { status: 500 });
    const [repeated] = again;
    if (repeated === undefined) return observed('A delivery that was answered 500 does not come again.');
    demand(repeated.id === first.id, 'A repeated delivery has another id.', first.id, repeated.id);
    const isSame = JSON.stringify(repeated.body) === JSON.stringify(first.body);
    return isSame ? met() : observed('A repeated delivery has another body.');
  }),
  fate('reset', 'HOOK-RESET', 'cut off', () => 'reset'),
  fate('redirect', 'HOOK-REDIRECT', 'redirected', ({ inbox }) => ({
    status: 302,
    location: inbox.url('elsewhere', EVENTS),
  })),
  fate('slow', 'HOOK-SLOW', 'answered after 300 ms', () => ({ status: 204, afterMs: 300 })),
];

export const webhookChecks: readonly Check[] = [...savingChecks, ...editingChecks, ...deliveryChecks];
