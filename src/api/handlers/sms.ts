// SMS, sent and received. Knows not how one travels.
import type { CreateSmsBody } from '../../contract/resources/storage.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { numberNamed, numbersOf } from '../../store/records/numbers.ts';
import { emptying, groundOf, listing, reading, shown } from '../records.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';

/** The message is queued when the answer leaves: what becomes of it is read later (CHOICE-SMS-RESULT). */
function createSms(request: ApiRequest<CreateSmsBody>, deps: ApiDeps): Outcome {
  const { body, caller } = request;
  const from = body.from === undefined ? ownNumber(request, deps) : chosenNumber(request, deps, body.from);
  if (!from.ok) return from;
  const to = `+${body.to.replace('+', '')}`;
  const { customerId, user } = caller;
  const sent = deps.exchange.sendSms({ customerId, userId: user.id, from: from.value, to, text: body.message });
  return sent.ok ? shown(request, 'sms', sent.value) : sent;
}

function chosenNumber(request: ApiRequest, deps: ApiDeps, written: string): Result<string> {
  const { mobile, mobile_activated } = request.caller.user;
  if (digitsIn(mobile) !== '' && digitsIn(written) === digitsIn(mobile))
    return mobile_activated
      ? success(`+${digitsIn(mobile)}`)
      : notValid(`from: your mobile number ${written} is not activated`);
  const ddi = numberNamed(groundOf(request, deps), written);
  if (ddi === undefined) return notValid(`from: there is no number ${written} in this account`);
  return ddi.sms_enabled ? success(ddi.e164) : notValid(`from: ${ddi.e164} sends no SMS`);
}

/** The number that the user shows in calls, else the first of those that ring the user (CHOICE-SMS-FROM). */
function ownNumber(request: ApiRequest, deps: ApiDeps): Result<string> {
  const { user } = request.caller;
  const ground = groundOf(request, deps);
  const shownInCalls = numberNamed(ground, user.cli);
  const candidates = [...(shownInCalls === undefined ? [] : [shownInCalls]), ...numbersOf(ground, 'U', user.id)];
  const ddi = candidates.find(({ sms_enabled }) => sms_enabled);
  return ddi === undefined
    ? notValid('from: is missing, and you have no number of your own that sends SMS')
    : success(ddi.e164);
}

function digitsIn(number: string): string {
  return number.replace(/\D/g, '');
}

function notValid(problem: string): Result<never> {
  return failure('invalid', 'The SMS is not valid.', [problem]);
}

export const smsHandlers = {
  listSms: listing('sms'),
  createSms,
  getSms: reading('sms'),
  deleteAllSms: emptying('sms'),
  listSmsDictionaries: listing('sms'),
};
