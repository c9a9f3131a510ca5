// A watched company with an IVR, for tests of menus.
import { IvrSchema } from '../../contract/resources/settings.ts';
import { emptyRecord } from '../../store/records/empty-record.ts';
import type { Stored } from '../../store/stored.ts';
import type { Rig } from '../exchange.rig.ts';
import { attended } from './attendants.rig.ts';

type Ivr = Stored['ivrs'];
export type IvrSettings = Partial<Omit<Ivr, 'id'>>;

/** The numbers of destinations' letters, as IVRs have them. */
export const LETTERS = { U: 1, V: 2, R: 3, I: 4, Q: 5, C: 6, H: 7 } as const;

/** An IVR that is a prompt of 3 s, waits 5 s, says itself once more, and hangs up. */
export function makeIvr({ rig }: { readonly rig: Rig }, settings: IvrSettings = {}): Ivr {
  const { customerId } = rig.customer;
  return rig.store.ivrs.insert(customerId, {
    ...(emptyRecord(IvrSchema, '') as unknown as Ivr),
    ...{ name: 'Menu', number: 850, timeout: 5, repeats: 1, final_dst_type: LETTERS.H, sounds: 'ivr-menu' },
    ...settings,
    id: rig.store.ivrs.nextId(customerId),
  });
}

/** Somebody who has called an IVR at the extension 850, and hears it. */
export function atIvr(settings: (all: ReturnType<typeof attended>) => IvrSettings = () => ({})) {
  const all = attended();
  const ivr = makeIvr(all, settings(all));
  const call = all.phones[0].dial('850');
  all.rig.pass(0);
  /** What was said, without the times. */
  const said = () => all.sounds.filter((sound) => !sound.startsWith('-')).map((sound) => sound.split(' ')[0]);
  return { ...all, ivr, call, said };
}
