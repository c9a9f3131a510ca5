// The user who asks, with the account's money. Knows no other user.
import type { Me } from '../../contract/resources/customer.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { one } from '../request.ts';

/** One record in the envelope of a list: CHOICE-ME. */
function getMe({ caller }: ApiRequest, { store }: ApiDeps): Outcome {
  const { user, customerId } = caller;
  const customer = store.customers.get(customerId);
  const me: Me = {
    id: String(user.id),
    balance: customer?.balance ?? 0,
    cc: user.cc,
    cli: user.cli,
    currency_iso: customer?.currencyIso ?? '',
    is_root: user.is_root ? '1' : '0',
    language: user.language,
  };
  return one(me, {});
}

export const meHandlers = { getMe };
