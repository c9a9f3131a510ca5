// Call me back: visitors of a website ask to be called. What they see of the widget, whom it calls, what it leaves. Knows no website.
import type { CallMeBack } from '../contract/resources/callmeback.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { utcText } from '../kernel/time.ts';
import { createRecord } from '../store/records/record-book.ts';
import { countriesOf } from './call-me-back-countries.ts';
import type { AskCallback, Callback, Widget, WidgetDesk, WidgetView } from './face.ts';
import { digitsOf, isPublicNumber } from './party.ts';
import type { Place } from './place.ts';
import type { Placing } from './placing.ts';
import { rateFor } from './rates.ts';
import type { Switchboard } from './switchboard.ts';

/** Visitors, and calls, that an account may have on record. */
export const MAX_VISITORS = 100_000;

export class CallMeBacks implements WidgetDesk {
  readonly #board: Switchboard;
  readonly #placing: Pick<Placing, 'callBack'>;

  constructor(board: Switchboard, placing: Pick<Placing, 'callBack'>) {
    this.#board = board;
    this.#placing = placing;
  }

  see(view: WidgetView): Result<Widget> {
    const found = this.#find(view.settingId);
    if (!found.ok) return found;
    return success(this.#seen(found.value.setting, view.country));
  }

  /** The visitor is on record in any case, the call when there is one. */
  ask(wish: AskCallback): Result<Callback> {
    const found = this.#find(wish.settingId);
    if (!found.ok) return found;
    const { setting, customerId } = found.value;
    const { shown, online } = this.#seen(setting, wish.country);
    if (!shown) return failure('conflict', notShown(setting, wish.country));
    const refused = this.#refusal(setting, wish.number);
    if (refused !== undefined) return failure('conflict', refused);
    if (this.#board.store.callmebackvisitors.count(customerId) >= MAX_VISITORS)
      return failure('conflict', `The account has ${MAX_VISITORS} visitors on record, the most that it may have.`);
    const visitor = this.#keep('callmebackvisitors', customerId, setting, wish);
    if (!visitor.ok) return visitor;
    const ddi = this.#board.directory.ddi(String(setting.ddi));
    if (!online || ddi === undefined) return success({ callId: null, visitor: visitor.value, cdr: null });
    const call = this.#placing.callBack(customerId, ddi, wish.number);
    if (!call.ok) return failure('conflict', call.failure.message, call.failure.details);
    const cdr = this.#keep('callmebackcdrs', customerId, setting, wish);
    return cdr.ok ? success({ callId: call.value.id, visitor: visitor.value, cdr: cdr.value }) : cdr;
  }

  #find(settingId: number): Result<{ setting: CallMeBack; customerId: number }> {
    const { callmebacksettings } = this.#board.store;
    const setting = callmebacksettings.get(settingId);
    const customerId = callmebacksettings.customerOf(settingId);
    return setting === undefined || customerId === undefined
      ? failure('not_found', `There is no call-me-back setting ${settingId}.`)
      : success({ setting, customerId });
  }

  #seen(setting: CallMeBack, country: string | undefined): Widget {
    const button = this.#board.store.callmebackbuttons.get(setting.call_me_back_button);
    const online = this.#isOnline(setting);
    const text = (online ? button?.data_online : button?.data_offline) ?? '';
    return { shown: isShown(setting, country), online, text, setting };
  }

  /** Somebody could answer at the number: a phone is registered there, or the exchange answers itself. */
  #isOnline({ ddi }: CallMeBack): boolean {
    const { directory, registrar } = this.#board;
    const number = ddi === 0 ? undefined : directory.ddi(String(ddi));
    if (number === undefined) return false;
    const place = directory.targetOf(number);
    return place.kind !== 'nowhere' && canAnswer(place, (userId) => registrar.bindings(userId).length > 0);
  }

  #refusal({ ddi, allowed_countries, max_call_rate }: CallMeBack, number: string): string | undefined {
    const digits = digitsOf(number);
    if (ddi === 0) return 'The widget has no number to call from.';
    if (!isPublicNumber(number)) return `Nobody has the number ${number}.`;
    const allowed = countryList(allowed_countries);
    if (allowed.length > 0 && !countriesOf(digits).some((country) => allowed.includes(country)))
      return `Numbers of that country are not called back, only those of ${allowed.join(', ')}.`;
    const rate = rateFor(digits);
    return max_call_rate > 0 && rate > max_call_rate
      ? `A call there costs ${rate} a minute, more than the ${max_call_rate} that the widget may spend.`
      : undefined;
  }

  /** Visitors and calls have the shape of the setting, named after the visitor (CHOICE-CALLMEBACK). */
  #keep(
    resource: 'callmebackvisitors' | 'callmebackcdrs',
    customerId: number,
    setting: CallMeBack,
    { number, name }: AskCallback,
  ): Result<CallMeBack> {
    const { store, clock } = this.#board;
    const { id: _, ...look } = setting;
    const e164 = `+${digitsOf(number)}`;
    const members = {
      ...look,
      name: name === undefined ? e164 : `${name} ${e164}`,
      created_at: utcText(clock.now()),
    };
    const kept = createRecord({ store, customerId, nowMs: clock.now() }, resource, members);
    return kept.ok ? success(kept.value as unknown as CallMeBack) : kept;
  }
}

function isShown(
  { show_to_allowed_countries_only, allowed_countries }: CallMeBack,
  country: string | undefined,
): boolean {
  if (!show_to_allowed_countries_only) return true;
  const allowed = countryList(allowed_countries);
  return allowed.length === 0 || (country !== undefined && allowed.includes(country.toUpperCase()));
}

function notShown({ allowed_countries }: CallMeBack, country = 'missing'): string {
  const allowed = countryList(allowed_countries).join(', ');
  return `The widget is shown only to visitors from ${allowed}, and their country is ${country}.`;
}

function countryList(written: string): string[] {
  return written
    .split(',')
    .map((country) => country.trim().toUpperCase())
    .filter((country) => country !== '');
}

function canAnswer(place: Place, hasPhone: (userId: number) => boolean): boolean {
  if (place.kind === 'user') return hasPhone(place.user.id) && !place.user.dnd;
  if (place.kind === 'group') return place.group.users.some(hasPhone);
  if (place.kind === 'queue') return place.queue.users.some(({ id, status }) => status && hasPhone(id));
  return true;
}
