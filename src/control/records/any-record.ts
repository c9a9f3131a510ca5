// Records of any resource as the administration application keeps them: every published attribute, what is kept beside them,
// and the numbers that lead to them. Knows no resource.
import type { TProperties } from 'typebox';
import { resources } from '../../contract/resources.ts';
import { array, string } from '../../contract/schema.ts';
import { success } from '../../kernel/errors.ts';
import type { Key } from '../../store/collection.ts';
import { runQuery } from '../../store/query.ts';
import { recordRules } from '../../store/records/kinds.ts';
import { changeRecord, createRecord, ddisOf, hasTextIds, removeRecord } from '../../store/records/record-book.ts';
import type { Ground } from '../../store/records/rules.ts';
import { collectionOf, type StoredRecord } from '../../store/store.ts';
import type { StoredResourceId } from '../../store/stored.ts';
import type { ControlDeps } from '../deps.ts';
import { idIn } from '../row.ts';
import { inReadForm, writtenForms } from './either-form.ts';
import { type Members, notValid, type RecordKind } from './record-kind.ts';

/** What a kind has of its own. */
export interface Peculiar {
  /** The members in the form in which they are kept. */
  readonly kept?: (members: Members) => Members;
  /** Schemas in place of those that the API publishes. */
  readonly properties?: TProperties;
}

/** The administration of one resource, by its schema and its rules. */
export function anyRecord(resource: StoredResourceId, { kept = same, properties = {} }: Peculiar = {}): RecordKind {
  const { name } = resources[resource];
  const { required = [], requiredAny = [], ofAccount = [] } = recordRules[resource];
  const recordOf = ({ store }: ControlDeps, id: string) => collectionOf(store, resource).get(keyOf(resource, id));
  return {
    id: resource,
    name,
    properties: { ...propertiesOf(resource), ...properties },
    required,
    requiredAny,
    ofAccount,
    page: (deps, customerId, query) => {
      const { items, total } = runQuery(collectionOf(deps.store, resource).source(customerId), query);
      return { items: items.map((one) => viewOf(deps, customerId, resource, one)), total };
    },
    get: (deps, id) => {
      const record = recordOf(deps, id);
      const owner = collectionOf(deps.store, resource).customerOf(keyOf(resource, id));
      return record === undefined || owner === undefined ? undefined : viewOf(deps, owner, resource, record);
    },
    ownerOf: ({ store }, id) => collectionOf(store, resource).customerOf(keyOf(resource, id)),
    create: (deps, customerId, members) => {
      const created = createRecord(groundOf(deps, customerId), resource, kept(inReadForm(resource, members)));
      return created.ok ? success(viewOf(deps, customerId, resource, created.value)) : created;
    },
    change: (deps, id, members) => {
      const owner = collectionOf(deps.store, resource).customerOf(keyOf(resource, id));
      if (owner === undefined) return notValid(`id: no ${name} ${id}`);
      const changed = changeRecord(
        groundOf(deps, owner),
        resource,
        keyOf(resource, id),
        kept(inReadForm(resource, members)),
      );
      return changed.ok ? success(viewOf(deps, owner, resource, changed.value)) : changed;
    },
    remove: (deps, id) => {
      const owner = collectionOf(deps.store, resource).customerOf(keyOf(resource, id));
      return owner !== undefined && removeRecord(groundOf(deps, owner), resource, keyOf(resource, id));
    },
  };
}

/** A customer's records, now. */
export function groundOf({ store, clock }: ControlDeps, customerId: number): Ground {
  return { store, customerId, nowMs: clock.now() };
}

function viewOf(deps: ControlDeps, customerId: number, resource: StoredResourceId, record: StoredRecord): Members {
  const ddis = ddisOf(groundOf(deps, customerId), resource, record.id);
  return ddis === undefined ? record : { ...record, ddis };
}

function propertiesOf(resource: StoredResourceId): TProperties {
  const { letter, required = [] } = recordRules[resource];
  const numbers = letter === undefined ? {} : { ddis: array(string(), { maxItems: 1000 }) };
  return { ...writtenForms(resource, required), ...numbers };
}

function keyOf(resource: StoredResourceId, id: string): Key {
  return hasTextIds(resource) ? id : idIn(id);
}

function same<T>(value: T): T {
  return value;
}
