// How mutants have a hand in deliveries: each event is handed on changed, more than once, later or not at all. Knows no clause.
import { parseUtc, utcText } from '../../kernel/time.ts';
import { objectIn } from '../json-text.ts';
import type { Courier, Post } from '../run/inbox.ts';
import { type Json, type Mutant, mutant } from './mutant.ts';

/** What becomes of an event: nothing else than it was (undefined), or these in this order; none drops it. */
export type Change = (event: Json, webhook: string) => Json | readonly Json[] | undefined;

/** A mutant of deliveries alone, one clause or several. */
export function ofDeliveries(id: string, clauses: string | readonly string[], courier: () => Courier): Mutant {
  return { ...mutant(id, clauses, ({ asked, forward }) => forward(asked)), courier };
}

/** A mutant that changes events and remembers nothing. Tests of URLs are left alone. */
export function ofEvents(id: string, clauses: string | readonly string[], change: Change): Mutant {
  return ofDeliveries(id, clauses, () => changing(change));
}

export function changing(change: Change): Courier {
  return (post, handOn) => {
    const event = eventIn(post);
    const changed = event === undefined ? undefined : change(event, webhookOf(post));
    if (changed === undefined) handOn(post);
    else for (const one of [changed].flat()) handOn({ ...post, text: JSON.stringify(one) });
  };
}

/** The event that is posted; undefined of tests and of what is none. */
export function eventIn({ text }: Post): Json | undefined {
  const body = objectIn(text);
  const name = body?.event_name;
  return typeof name === 'string' && name !== 'webhook.test' ? { ...body } : undefined;
}

/** The name of the webhook, as the check calls it. */
export function webhookOf({ path }: Post): string {
  return path.split('/').at(-1) ?? '';
}

/** The same post for another webhook of the same receiver. */
export function forWebhook(post: Post, webhook: string): Post {
  return { ...post, path: post.path.replace(/[^/]*$/, webhook) };
}

const HOUR_MS = 3_600_000;

/** A date and time of the wire, an hour later: that of a server in another zone. */
export function localTime(value: unknown): unknown {
  const at = typeof value === 'string' ? parseUtc(value) : undefined;
  return at === undefined ? value : utcText(at + HOUR_MS);
}
