// What of a stored record a response shows: the published members, without those that are only kept. Knows no handler.
import { type ResourceId, resources } from '../contract/resources.ts';
import type { Page } from '../store/query.ts';

/** Shown forms of records that keep more than they show; the same object for the same record, so that its text is kept too. */
const shown = new WeakMap<object, object>();

/** The record as responses carry it (CHOICE-WRITE-ONLY). */
export function published(resource: ResourceId, record: object): object {
  const { schema, kept } = resources[resource];
  if (kept === undefined) return record;
  const known = shown.get(record);
  if (known !== undefined) return known;
  const members = record as Readonly<Record<string, unknown>>;
  const made = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, members[name]]));
  shown.set(record, made);
  return made;
}

/** The same of every record of a page. */
export function publishedPage(resource: ResourceId, page: Page<object>): Page<object> {
  if (resources[resource].kept === undefined) return page;
  return { ...page, items: page.items.map((record) => published(resource, record)) };
}

/** The record as responses carry it, with members that the request asked for besides. */
export function publishedWith(resource: ResourceId, record: object, members: object): object {
  const made = { ...published(resource, record), ...members };
  shown.set(made, made);
  return made;
}
