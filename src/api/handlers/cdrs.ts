// Call detail records: what each call has left, and what people wrote on it. Knows no live call.

import type { UpdateCdrsBody } from '../../contract/resources/history.ts';
import type { Contact } from '../../contract/resources/settings.ts';
import { failure } from '../../kernel/errors.ts';
import { readForm } from '../../store/records/read-form.ts';
import { changeRecords, createRecord } from '../../store/records/record-book.ts';
import { numberForms } from '../../store/records/written-numbers.ts';
import type { Store } from '../../store/store.ts';
import { isOwnRecord, ownerRuleOf } from '../access.ts';
import { findRecord, readPage } from '../reading.ts';
import { emptying, findMany, groundOf, listing, ofKnownMembers, RECORDS_PER_ACCOUNT, reading } from '../records.ts';
import { type ApiDeps, type ApiRequest, many, manyWithin, type Outcome } from '../request.ts';
import { pcapFile, traceFile } from '../trace-files.ts';

/** Only what people add to a call afterwards can be written; all of it or nothing (CHOICE-CDR-PATCH). */
function updateCdrs(asked: ApiRequest<UpdateCdrsBody>, deps: ApiDeps): Outcome {
  const request = ofKnownMembers(asked);
  const { body, caller } = request;
  const found = findMany(
    request,
    deps,
    'cdrs',
    body.map(({ id }) => String(id)),
    (index) => `[${index}].id`,
  );
  if (!found.ok) return found;
  const noted = body.filter(({ notes }) => notes !== undefined && notes !== '');
  const room = RECORDS_PER_ACCOUNT - deps.store.cdrnotes.count(caller.customerId);
  if (noted.length > room)
    return failure('invalid', `notes: the account may have ${RECORDS_PER_ACCOUNT} notes, and has room for ${room}`);
  const ground = groundOf(request, deps);
  const changes = body.map((element) => ({ id: element.id, members: readForm('cdrs', element) }));
  const changed = changeRecords(ground, 'cdrs', changes);
  if (!changed.ok) return changed;
  for (const { id, notes } of noted)
    createRecord(ground, 'cdrnotes', { cdr_id: id, user_id: caller.user.id, text: notes });
  for (const { id, labels } of body) if (labels !== undefined) keepLabels(deps.store, caller.customerId, id, labels);
  return many({ items: changed.value, total: changed.value.length });
}

function keepLabels({ cdrlabels }: Store, customerId: number, id: number, labels: readonly unknown[]): void {
  if (labels.length === 0) cdrlabels.delete(id);
  else if (cdrlabels.update(id, { labels }) === undefined) cdrlabels.insert(customerId, { id, labels });
}

function listCdrNotes(request: ApiRequest, { store }: ApiDeps): Outcome {
  const cdr = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  if (!cdr.ok) return cdr;
  const { id } = cdr.value;
  const source = store.cdrnotes.source(request.caller.customerId, (note) => note.cdr_id === id, [['cdr_id', [id]]]);
  const page = readPage(request, 'cdrnotes', source);
  return page.ok ? many(page.value) : page;
}

/** The CDRs that call tracking knows: CHOICE-TRACKED-CDRS. */
function listCallTrackingCdrs(request: ApiRequest, { store }: ApiDeps): Outcome {
  const { customerId } = request.caller;
  const ids = new Set([...store.trackedcalls.list(customerId)].map(({ cdr_id }) => cdr_id));
  const source = store.cdrs.source(customerId, ({ id }) => ids.has(id), [['id', [...ids]]]);
  const page = readPage(request, 'cdrs', source);
  return page.ok ? many(page.value) : page;
}

/** Calls from and to any of the contact's numbers, however they are written there: CHOICE-CONTACT-CDRS. */
function listContactCdrs(request: ApiRequest, { store }: ApiDeps): Outcome {
  const contact = findRecord(request, 'contacts', store.contacts, ownerRuleOf('contacts'));
  if (!contact.ok) return contact;
  const { caller, root } = request;
  const name = `contact:${contact.value.id}`;
  const countryCode = store.customers.get(caller.customerId)?.countryCode ?? '';
  const numbers = numbersOf(contact.value).flatMap((number) => numberForms(number, countryCode));
  const theirs = new Set(numbers);
  const source = store.cdrs.source(
    caller.customerId,
    ({ src, dst, src_id, dst_id }) => theirs.has(src) || theirs.has(dst) || src_id === name || dst_id === name,
    [
      ['src', numbers],
      ['dst', numbers],
      ['src_id', [name]],
      ['dst_id', [name]],
    ],
  );
  const page = readPage(request, 'cdrs', source);
  const self = `${root}/contacts/${contact.value.id}`;
  return page.ok ? manyWithin(contact.value, page.value, { self: `${self}/cdrs`, contact: self }) : page;
}

function numbersOf({ tel, tel_1, tel_2, mobile, mobile_1, mobile_2 }: Contact): string[] {
  return [tel, tel_1, tel_2, mobile, mobile_1, mobile_2].filter((number) => number !== '');
}

function getCdrTrace(request: ApiRequest, { store, traces }: ApiDeps): Outcome {
  const found = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  return found.ok ? traceFile(traces.read(found.value.live_id), `cdr-${found.value.id}`) : found;
}

function getCdrPcap(request: ApiRequest, { store, traces }: ApiDeps): Outcome {
  const found = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  return found.ok ? pcapFile(traces.read(found.value.live_id), `cdr-${found.value.id}`) : found;
}

export const cdrHandlers = {
  listCdrs: listing('cdrs'),
  getCdr: reading('cdrs'),
  updateCdrs,
  deleteAllCdrs: emptying('cdrs'),
  listCdrDictionaries: listing('cdrs'),
  listCdrNotes,
  listCallTrackingCdrs,
  listContactCdrs,
  getCdrTrace,
  getCdrPcap,
};
