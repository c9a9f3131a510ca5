// Users of the account, what belongs to each of them, and their leaving. Knows no credentials.
import type { UpdateUsersBody } from '../../contract/resources/customer.ts';
import type { ResourceId } from '../../contract/resources.ts';
import { failure } from '../../kernel/errors.ts';
import type { Places } from '../../store/collection.ts';
import type { Page } from '../../store/query.ts';
import { readForm } from '../../store/records/read-form.ts';
import { removeRecord } from '../../store/records/record-book.ts';
import type { Store } from '../../store/store.ts';
import { collectionOf } from '../../store/store.ts';
import type { StoredResourceId } from '../../store/stored.ts';
import { isOwnUser, ownerRuleOf } from '../access.ts';
import { findRecord, type Owns, readOf, readPage, sourceOf } from '../reading.ts';
import { changingMany, groundOf, listing, reading } from '../records.ts';
import { type ApiDeps, type ApiRequest, type Handler, manyWithin, nothing, type Outcome } from '../request.ts';
import type { Result } from '../../kernel/errors.ts';

type Element = UpdateUsersBody[number];
type ThreadOf = Pick<Store['sms'] extends { get(id: number): infer S } ? NonNullable<S> : never, 'user_id' | 'from' | 'to'>;
