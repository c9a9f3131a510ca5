// The customer account itself: it can be removed, with everything that is in it.
import { failure } from '../../kernel/errors.ts';
import { removeAccount } from '../../store/records/account.ts';
import { readId } from '../reading.ts';
import { type ApiDeps, type ApiRequest, nothing, type Outcome } from '../request.ts';

/** One's own account alone; any other does not exist (CHOICE-CUSTOMER-LEAVES). */
function deleteCustomer({ params, caller }: ApiRequest, { store }: ApiDeps): Outcome {
  if (readId(params.id) !== caller.customerId) return failure('not_found', 'There is no such customer.');
  removeAccount(store, caller.customerId);
  return nothing();
}

export const customerHandlers = { deleteCustomer };
