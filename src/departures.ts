// Who is gone from the store is gone from everywhere else: calls, registrations, phones, tokens, webhooks, traces. Knows no request.
import type { TelephoneExchange } from './pbx/exchange.ts';
import type { Fleet } from './phones/fleet.ts';
import type { Sessions } from './store/sessions.ts';
import type { Watchers } from './store/store.ts';
import type { Traces } from './store/traces.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface Remaining {
  readonly exchange: Pick<TelephoneExchange, 'forgetUser' | 'forgetCustomer'>;
  readonly phones: Pick<Fleet, 'list' | 'remove'>;
  readonly sessions: Pick<Sessions, 'passwordChanged'>;
  readonly webhooks: Pick<Webhooks, 'list' | 'remove'>;
  readonly traces: Pick<Traces, 'forgetCustomer'>;
}

/** Watches users and accounts leave. `remaining` is asked then: the store is there before the others. */
export function departures(remaining: () => Remaining): Pick<Watchers, 'users' | 'customers'> {
  return {
    users: ({ kind, id, customerId }) => {
      if (kind === 'put') return;
      const { exchange, phones, sessions } = remaining();
      exchange.forgetUser(Number(id));
      for (const { user_id, ext } of phones.list(customerId)) if (user_id === id) phones.remove(customerId, ext);
      sessions.passwordChanged(Number(id));
    },
    customers: ({ kind, customerId }) => {
      if (kind === 'put') return;
      const { exchange, webhooks, traces } = remaining();
      exchange.forgetCustomer(customerId);
      traces.forgetCustomer(customerId);
      for (const { id } of webhooks.list(customerId)) webhooks.remove(id);
    },
  };
}
