// SMS and canned responses: both in one shape, both of a user or of nobody in particular.
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const smsRules = rulesFor<Stored['sms']>({ references: { user_id: 'users' } });

/** The type says that it is no message: CHOICE-CANNED. */
export const cannedResponseRules = rulesFor<Stored['cannedresponses']>({
  references: { user_id: 'users' },
  usual: () => ({ type: 'canned' }),
});
