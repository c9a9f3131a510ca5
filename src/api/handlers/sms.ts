// SMS, sent and received.
import { emptying, listing, reading } from '../records.ts';

export const smsHandlers = {
  listSms: listing('sms'),
  getSms: reading('sms'),
  deleteAllSms: emptying('sms'),
  listSmsDictionaries: listing('sms'),
};
