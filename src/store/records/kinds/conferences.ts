// Conference rooms: an extension of the house, and a number for callers from outside who key it in.
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Conference = Stored['conferences'];

/** The first room number for callers from outside: six digits, so that none is taken for an extension. */
const FIRST_PSTN = 100_900;

export const conferenceRules = rulesFor<Conference>({
  letter: 'C',
  required: ['name'],
  extension: { member: 'confno', first: 900 },
  derived: (ground, { confno_pstn }) => (confno_pstn === 0 ? { confno_pstn: freePstn(ground) } : {}),
  problems: ({ store, customerId }, { confno_pstn }, before) => {
    if (confno_pstn === before?.confno_pstn) return [];
    const rooms = [...store.conferences.list(customerId)];
    return rooms.some((room) => room.id !== before?.id && room.confno_pstn === confno_pstn)
      ? [`confno_pstn: another room has ${confno_pstn}`]
      : [];
  },
});

function freePstn({ store, customerId }: Ground): number {
  const taken = new Set(Array.from(store.conferences.list(customerId), ({ confno_pstn }) => confno_pstn));
  for (let number = FIRST_PSTN; ; number += 1) if (!taken.has(number)) return number;
}
