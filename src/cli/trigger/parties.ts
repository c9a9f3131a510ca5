// Who takes part in what is triggered: phones and numbers as the simulator has them, and the overrides that name others. Places no call.
import type { ControlClient } from '../../harness/run/control-client.ts';
import { UsageError } from '../errors.ts';

/** Somebody who can call or be called. */
export type Party =
  | { readonly kind: 'phone'; readonly ext: string }
  /** On the public network. */
  | { readonly kind: 'outside'; readonly number: string };

/** A party as it is dialled. */
export interface Called {
  readonly party: Party;
  /** A number, or an extension where the caller is a phone of ours. */
  readonly number: string;
}

interface PhoneView {
  readonly ext: string;
  readonly user_id: number;
  readonly registered: boolean;
  readonly stepped_back: boolean;
  readonly calls: readonly unknown[];
}

interface NumberView {
  readonly e164: string;
  readonly target_type: number | string;
  readonly target_id: number;
}

/** A number of the public network, reserved for fiction: whoever calls from outside when nobody else is named. */
export const OUTSIDER = '+442079469999';
/** Busy, whoever calls it. */
export const BUSY_NUMBER = '+442079460001';
/** Numbers with an outcome of their own. */
export const MAGIC = /^\+4420794600\d\d$/;

export class Directory {
  readonly #phones: readonly PhoneView[];
  readonly #numbers: readonly NumberView[];

  private constructor(phones: readonly PhoneView[], numbers: readonly NumberView[]) {
    this.#phones = phones;
    this.#numbers = numbers;
  }

  static async read(control: ControlClient): Promise<Directory> {
    const phones = await control.get<{ data: PhoneView[] }>('GET', '/phones');
    const numbers = await control.get<{ data: NumberView[] }>('GET', '/records/ddis');
    return new Directory(phones.data, numbers.data);
  }

  /** The first phone that can be told what to do now and is none of these. */
  idlePhone(...taken: readonly (Party | undefined)[]): Party {
    const free = this.#phones.find(
      (phone) => isIdle(phone) && !taken.some((party) => party?.kind === 'phone' && party.ext === phone.ext),
    );
    if (free !== undefined) return { kind: 'phone', ext: free.ext };
    throw new Error('No simulated phone is registered and without a call: end a call, or register a phone.');
  }

  /** Whom a flag names as the caller. Throws `UsageError`. */
  caller(flag: string, text: string): Party {
    if (this.#has(text)) return this.#phone(text);
    if (text === 'anonymous') return { kind: 'outside', number: text };
    const number = numberIn(flag, text);
    if (!this.isOurs(number)) return { kind: 'outside', number };
    throw new UsageError(
      `${flag} ${text}: nobody calls from outside with a number of ours; name the extension instead.`,
    );
  }

  /** Whom a flag names as the called party. Throws `UsageError`. */
  called(flag: string, text: string): Called {
    if (this.#has(text)) return { party: this.#phone(text), number: text };
    const number = numberIn(flag, text);
    const found = this.#numbers.find(({ e164 }) => plus(e164) === number);
    if (found === undefined) return { party: { kind: 'outside', number }, number };
    const phone = this.#phones.find(({ user_id }) => leadsTo(found, user_id));
    if (phone === undefined) throw new UsageError(`${flag} ${text}: this number leads to no user with a phone.`);
    return { party: this.#phone(phone.ext), number };
  }

  /** The phone as somebody outside dials it. */
  fromOutside({ party, number }: Called): Called {
    if (party.kind === 'outside' || number !== party.ext) return { party, number };
    const user = this.#phones.find(({ ext }) => ext === party.ext)?.user_id;
    const found = this.#numbers.find((one) => user !== undefined && leadsTo(one, user));
    if (found === undefined) throw new Error(`No number leads to extension ${party.ext}: nobody outside can call it.`);
    return { party, number: plus(found.e164) };
  }

  /** One of our numbers, the first when none is named. */
  ourNumber(flag: string, text: string | undefined): string {
    if (text === undefined) {
      const [first] = this.#numbers;
      if (first === undefined) throw new Error('The customer has no number.');
      return plus(first.e164);
    }
    if (this.#has(text)) return this.fromOutside({ party: { kind: 'phone', ext: text }, number: text }).number;
    const number = numberIn(flag, text);
    if (this.isOurs(number)) return number;
    throw new UsageError(`${flag} ${text}: expected a number of the customer's, such as ${this.#numbers[0]?.e164}.`);
  }

  isOurs(number: string): boolean {
    return this.#numbers.some(({ e164 }) => plus(e164) === number);
  }

  #has(ext: string): boolean {
    return this.#phones.some((phone) => phone.ext === ext);
  }

  #phone(ext: string): Party {
    const phone = this.#phones.find((one) => one.ext === ext);
    if (phone === undefined) throw new UsageError(`No simulated phone has extension ${ext}.`);
    if (phone.stepped_back) throw new Error(`A real phone is registered at ${ext}: name another extension.`);
    if (!phone.registered)
      throw new Error(`The phone ${ext} is not registered: name another extension, or register it.`);
    if (phone.calls.length > 0)
      throw new Error(`The phone ${ext} is in a call: name another extension, or end the call.`);
    return { kind: 'phone', ext };
  }
}

function isIdle({ registered, stepped_back, calls }: PhoneView): boolean {
  return registered && !stepped_back && calls.length === 0;
}

function leadsTo({ target_type: type, target_id: target }: NumberView, userId: number): boolean {
  return (type === 1 || type === 'U') && target === userId;
}

/** With `+`. Throws `UsageError` for what is no public number. */
function numberIn(flag: string, text: string): string {
  if (/^\+?[0-9]{5,15}$/.test(text)) return plus(text);
  throw new UsageError(
    `${flag} ${text}: expected the extension of a simulated phone, or a public number of 5 to 15 digits.`,
  );
}

function plus(number: string): string {
  return number.startsWith('+') ? number : `+${number}`;
}
