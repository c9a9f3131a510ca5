// Takes a simulator's own handset off an extension while a phone of ours is there: it would step in whenever ours is gone.
import type { ControlClient } from '../run/control-client.ts';
import type { PhoneLine } from './phone-driver.ts';

/** Resolves with what puts it back; nothing happens where there is none. */
export async function handsetAway(control: ControlClient, line: PhoneLine): Promise<() => Promise<void>> {
  const query = line.customerId === undefined ? '' : `?customer_id=${line.customerId}`;
  const path = `/phones/${line.ext}${query}`;
  const before = await control.ask('GET', path);
  if (before.status !== 200) return () => Promise.resolve();
  await control.ask('DELETE', path);
  const { behaviour } = before.body as { readonly behaviour: unknown };
  return async () => void (await control.ask('POST', `/phones${query}`, { ext: line.ext, behaviour }));
}
