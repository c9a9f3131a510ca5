// Which drivers there are, and how each is made from what a target gives. Knows no phone.
import type { TimeHost } from '../../kernel/clock.ts';
import type { SipServer } from '../peers/wire.ts';
import type { ControlClient } from '../run/control-client.ts';
import { addressOf, type SipAccess, type Target } from '../target/target.ts';
import { type DriverName, type PhoneDriver, PhoneTrouble } from './phone-driver.ts';
import { SimPhones } from './sim-phones.ts';
import type { SipJournal } from './sip-journal.ts';

export interface DriverParts {
  readonly target: Target;
  readonly host: TimeHost;
  /** Present when the target has a control API. */
  readonly control: ControlClient | undefined;
  readonly journal: SipJournal | undefined;
}

/** What a target must have for a driver; undefined when it has it. */
export function missingFor(name: DriverName, target: Target): string | undefined {
  if (name === 'sim') return target.control === undefined ? 'control API, which simulated phones need' : undefined;
  return serverOf(target.sip) === undefined ? 'SIP address, where phones would register' : undefined;
}

/** Rejects with `PhoneTrouble`. */
export async function openDriver(name: DriverName, parts: DriverParts): Promise<PhoneDriver> {
  const { target, host, control, journal } = parts;
  if (name === 'sim' && control !== undefined && journal !== undefined) {
    return new SimPhones({ control, journal, fresh: target.fresh });
  }
  const server = serverOf(target.sip);
  if (name === 'sip' && target.sip !== undefined && server !== undefined) {
    // sip.js takes a while to load: only who asks for such phones waits for it.
    const { sipPhoneDriver } = await import('../peers/sip-phone-driver.ts');
    return sipPhoneDriver({ domain: target.sip.domain, server, time: host });
  }
  throw new PhoneTrouble(
    `Phones cannot be driven by ${name}: the target gives no ${missingFor(name, target) ?? 'way'}.`,
  );
}

/** WebSocket before TCP before UDP, whichever the target has. */
function serverOf(sip: SipAccess | undefined): SipServer | undefined {
  if (sip?.ws !== undefined) return { transport: 'ws', url: sip.ws };
  if (sip?.tcp !== undefined) return { transport: 'tcp', ...addressOf(sip.tcp) };
  return sip?.udp === undefined ? undefined : { transport: 'udp', ...addressOf(sip.udp) };
}
