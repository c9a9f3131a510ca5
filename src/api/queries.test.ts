// Every list of the Storage and Settings modules is filtered, sorted and grouped by each of its published properties.
import { describe, expect, it } from 'vitest';
import { type ResourceId, resources } from '../contract/resources.ts';
import { Story } from './story.rig.ts';

const lists: ReadonlyArray<readonly [path: string, resource: ResourceId]> = [
  ['/sms', 'sms'],
  ['/sms/dictionaries', 'sms'],
  ['/sms/cannedresponses', 'cannedresponses'],
  ['/faxes', 'faxes'],
  ['/vmannouncements', 'vmannouncements'],
  ['/ddis', 'ddis'],
  ['/ddis/dictionaries', 'ddis'],
  ['/ddis/calltracking', 'ddis'],
  ['/calltracking/ddis', 'ddis'],
  ['/calltracking/campaigns', 'campaigns'],
  ['/calltracking/cdrs', 'trackedcalls'],
  ['/contacts', 'contacts'],
  ['/conferences', 'conferences'],
  ['/queues', 'queues'],
  ['/ringgroups', 'ringgroups'],
  ['/ringgroups/dictionaries', 'ringgroups'],
  ['/pickupgroups', 'pickupgroups'],
  ['/routingrules', 'routingrules'],
  ['/ivrs', 'ivrs'],
];

const story = new Story();
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

describe.each(lists)('%s', (path, resource) => {
  const properties = Object.keys(resources[resource].schema.properties);

  it('holds records in the published shape, and no other account’s', async () => {
    const records = await story.list(path);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      story.fits(resource, record);
      expect(String(record.id)).toMatch(/^1\d{7}$/);
    }
  });

  it('is filtered, sorted and grouped by each property', async () => {
    const records = await story.list(path);
    const last = records.at(-1) ?? {};
    for (const property of properties) {
      const value = last[property];
      const found = await story.list(path, { filter: [{ property, operator: 'eq', value }] });
      expect(found, property).toEqual(records.filter((record) => same(record[property], value)));
      const others = await story.list(path, { filter: [{ property, operator: 'ne', value }] });
      expect(found.length + others.length, property).toBe(records.length);
      const sorted = await story.list(path, { sort: `-${property}` });
      expect(new Set(sorted.map(({ id }) => id)), property).toEqual(new Set(records.map(({ id }) => id)));
      const groups = await story.list(path, { group_by: property });
      expect(groups.length, property).toBe(new Set(records.map((record) => JSON.stringify(record[property]))).size);
    }
  });

  it('says which properties there are to whoever asks for another', async () => {
    const known = expect.stringContaining(properties.slice(0, 3).join(', '));
    for (const query of [{ sort: 'colour' }, { group_by: 'colour' }])
      await story.refused(['get', `${path}?${new URLSearchParams(query)}`], 400, [known]);
    const filter = JSON.stringify([{ property: 'colour', operator: 'eq', value: 1 }]);
    await story.refused(['get', `${path}?${new URLSearchParams({ filter })}`], 400, [known]);
  });

  it('is not for restricted users', async () => {
    await story.refused(['get', path], 403, undefined, 'restricted');
  });
});
