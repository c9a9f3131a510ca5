// Which drivers there are, and how each is made from what a target gives. Knows no phone.
import type { ControlClient } from '../run/control-client.ts';
import type { Target } from '../target/target.ts';
import { type DriverName, type PhoneDriver, PhoneTrouble } from './phone-driver.ts';
import { SimPhones } from './sim-phones.ts';
import type { SipJournal } from './sip-journal.ts';

export interface DriverParts {
  readonly target: Target;
  /** Present when the target has a control API. */
  readonly control: ControlClient | undefined;
  readonly journal: SipJournal | undefined;
}

/** The drivers that can be asked for. */
export const driverNames: readonly DriverName[] = ['sim'];

/** What a target must have for a driver; undefined when it has it. */
export function missingFor(name: DriverName, target: Target): string | undefined {
  if (name === 'sim') return target.control === undefined ? 'a control API, for simulated phones' : undefined;
  return target.sip === undefined ? 'a SIP registrar, for phones of our own' : undefined;
}

/** Rejects with `PhoneTrouble`. */
export async function openDriver(name: DriverName, { target, control, journal }: DriverParts): Promise<PhoneDriver> {
  if (name === 'sim' && control !== undefined && journal !== undefined) {
    return new SimPhones({ control, journal, fresh: target.fresh });
  }
  throw new PhoneTrouble(
    `Phones cannot be driven by ${name}: the target lacks ${missingFor(name, target) ?? 'what it needs'}.`,
  );
}
