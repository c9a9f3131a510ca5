// Faxes as records: kept, moved on, told by mail and in the journal. Knows no signalling.
import { codeOf, faxStatusCodes, faxTypeCodes } from '../contract/codes.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Fax } from '../contract/resources/storage.ts';
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import { utcText } from '../kernel/time.ts';
import type { Letter } from '../store/outbox.ts';
import { createRecord } from '../store/records/record-book.ts';
import type { Store } from '../store/store.ts';

/** Faxes that an account may have, sent and received. */
export const MAX_FAXES = 100_000;

export type FaxStatus = keyof typeof faxStatusCodes.codes;

export interface FaxRecordsDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: Pick<Journal, 'append'>;
  readonly store: Store;
  readonly mail: (letter: Letter) => void;
}

export interface NewFax {
  readonly customerId: number;
  readonly type: keyof typeof faxTypeCodes.codes;
  readonly from: string;
  readonly to: string;
  readonly pages: number;
  readonly status: FaxStatus;
  /** Default: named after the record. */
  readonly filename?: string;
}

/** A record of a fax. `invalid` when the account has as many as it may. */
export function keepFax(deps: FaxRecordsDeps, fax: NewFax, callId: number | null = null): Result<Fax> {
  const { store, clock } = deps;
  const { customerId, type, status, filename = '', ...facts } = fax;
  if (store.faxes.count(customerId) >= MAX_FAXES)
    return failure('invalid', `The account has ${MAX_FAXES} faxes, the most that it may have.`);
  const created = createRecord({ store, customerId, nowMs: clock.now() }, 'faxes', {
    ...facts,
    ...{ type: codeOf(faxTypeCodes, type), status: codeOf(faxStatusCodes, status), filename },
    created_at: utcText(clock.now()),
  });
  if (!created.ok) return created;
  const kept = created.value as unknown as Fax;
  const named = kept.filename === '' ? store.faxes.update(kept.id, { filename: `fax-${kept.id}.pdf` }) : kept;
  note(deps, customerId, kept.id, status, callId);
  return success(named ?? kept);
}

/** The fax has come further; what is removed from the account meanwhile does not come back. */
export function moveFax(
  deps: FaxRecordsDeps,
  customerId: number,
  id: number,
  { status, charge, callId }: { readonly status: FaxStatus; readonly charge?: number; readonly callId: number },
): void {
  const changes = { status: codeOf(faxStatusCodes, status), ...(charge === undefined ? {} : { charge }) };
  if (deps.store.faxes.update(id, changes) !== undefined) note(deps, customerId, id, status, callId);
}

/** Whoever reads the number's faxes by mail is told. */
export function mailFax({ mail }: FaxRecordsDeps, { e164, fax_email }: Ddi, { id, from, filename, pages }: Fax): void {
  if (fax_email !== '') mail({ kind: 'fax', to: fax_email, fax_id: id, from, number: e164, filename, pages });
}

function note(
  { journal }: FaxRecordsDeps,
  customerId: number,
  id: number,
  status: FaxStatus,
  callId: number | null,
): void {
  journal.append(`fax.${status}`, { customerId, callId, data: { id } });
}
