// The account's telephone numbers.

import { numberNamed } from '../../store/records/numbers.ts';
import { ownerRuleOf } from '../access.ts';
import { published } from '../published.ts';
import { forbidden, notFound, reaches } from '../reading.ts';
import { groundOf, listing } from '../records.ts';
import { type ApiDeps, type ApiRequest, type Outcome, one } from '../request.ts';

/** One record in the envelope of a list; the path has the number with or without `+` (CHOICE-NUMBERS). */
function getDdi(request: ApiRequest, deps: ApiDeps): Outcome {
  const { params, caller } = request;
  const ddi = /^\+?\d{3,20}$/.test(params.e164 ?? '') ? numberNamed(groundOf(request, deps), params.e164) : undefined;
  if (ddi === undefined) return notFound('ddis');
  return reaches(caller, ddi, ownerRuleOf('ddis')) ? one(published('ddis', ddi), {}) : forbidden('ddis', caller);
}

export const ddiHandlers = { listDdis: listing('ddis'), listDdiDictionaries: listing('ddis'), getDdi };
