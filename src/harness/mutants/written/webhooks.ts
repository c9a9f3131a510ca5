// Mutants of webhooks themselves: saved when they must not be, changed in the answer alone, told less than they should be.
import { jsonIn } from '../../json-text.ts';
import { eventIn, ofDeliveries, webhookOf } from '../couriers.ts';
import { type Act, bodyOf, type Json, type Mutant, made, mutant } from '../mutant.ts';

/** Of requests at `/webhooks` of the control API by that method. */
function administered(id: string, clauses: string | readonly string[], method: string, act: Act): Mutant {
  const control: Act = (passing) => {
    const { asked, forward } = passing;
    return asked.method === method && asked.url.includes('/webhooks') ? act(passing) : forward(asked);
  };
  return { ...mutant(id, clauses, ({ asked, forward }) => forward(asked)), control: () => control };
}

/** What is refused is answered as if it had been saved. */
function saving(id: string, clauses: string, isMeant: (body: Json) => boolean): Mutant {
  return administered(id, clauses, 'POST', async ({ asked, forward }) => {
    const answered = await forward(asked);
    const isRefused = answered.ok && answered.status >= 400 && isMeant(bodyOf(asked));
    return isRefused ? made(201, { ...bodyOf(asked), id: 5_000_000 }) : answered;
  });
}

/** A change is answered as if it had been made. */
function ignoring(id: string, clauses: string, isMeant: (body: Json) => boolean): Mutant {
  return administered(id, clauses, 'PATCH', async ({ asked, forward }) =>
    isMeant(bodyOf(asked)) ? made(200, bodyOf(asked)) : forward(asked),
  );
}

function isPlain({ url }: Json): boolean {
  return String(url).startsWith('http:');
}

/** An attempt after the first has an id of its own. */
const renumbered = ofDeliveries('webhooks: what comes again has another id', 'HOOK-RETRY-ID', () => {
  const seen = new Set<string>();
  return (post, handOn) => {
    const event = eventIn(post);
    const key = `${post.path} ${String(event?.id)}`;
    const isAgain = event !== undefined && seen.has(key);
    seen.add(key);
    handOn(isAgain ? { ...post, text: JSON.stringify({ ...event, id: `${String(event.id)}r` }) } : post);
  };
});

export const webhookMutants: readonly Mutant[] = [
  saving('webhooks: one with an http: URL is saved', 'HOOK-HTTPS', isPlain),
  saving('webhooks: one whose URL does not respond is saved', 'HOOK-NO-ANSWER', (body) => !isPlain(body)),
  ofDeliveries('webhooks: none is tested when it is saved', 'HOOK-TEST-EVENT', () => (post, handOn) => {
    const body = jsonIn(post.text) as Json | undefined;
    if (body?.event_name !== 'webhook.test') handOn(post);
  }),
  ignoring('webhooks: the URL is not changed', 'HOOK-EDIT', ({ url }) => url !== undefined),
  ignoring('webhooks: the categories are not changed', 'HOOK-EDIT-CATEGORIES', ({ events }) => events !== undefined),
  ignoring('webhooks: one is not deactivated', 'HOOK-DEACTIVATED', ({ active }) => active === false),
  ignoring('webhooks: one is not activated again', 'HOOK-ACTIVATED', ({ active }) => active === true),
  ofDeliveries('webhooks: the second gets nothing', 'HOOK-SEVERAL', () => (post, handOn) => {
    if (webhookOf(post) !== 'other') handOn(post);
  }),
  ofDeliveries('webhooks: each gives an event an id of its own', 'HOOK-SAME-ID', () => (post, handOn) => {
    const event = eventIn(post);
    const id = `${String(event?.id)} ${webhookOf(post)}`;
    handOn(event === undefined ? post : { ...post, text: JSON.stringify({ ...event, id }) });
  }),
  renumbered,
];
