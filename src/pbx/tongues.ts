// In which language the exchange speaks (CHOICE-LANGUAGE): a box in its user's, a menu and a queue in their own, everything else in
// that of the user who listens. And which music it plays (CHOICE-MUSIC). Makes no sound.
import { languageCodes, wordOf } from '../contract/codes.ts';
import { languageOf } from '../media/languages.ts';
import type { Sound } from '../media/sound.ts';
import { Tongue } from '../media/tongue.ts';
import type { Party } from './party.ts';
import type { Switchboard } from './switchboard.ts';

type Book = Pick<Switchboard, 'sounds' | 'store'>;

/** As the user has it now; English for who is no user. */
export function tongueOfUser({ sounds, store }: Book, userId: number | null): Tongue {
  const user = userId === null ? undefined : store.users.get(userId);
  return new Tongue(sounds, languageOf(user?.language ?? ''));
}

export function tongueOf(board: Book, { userId }: Pick<Party, 'userId'>): Tongue {
  return tongueOfUser(board, userId);
}

/** The language of an IVR or a queue. */
export function tongueOfPlace({ sounds }: Book, { language }: { readonly language: number }): Tongue {
  return new Tongue(sounds, languageOf(wordOf(languageCodes, language) ?? ''));
}

/** The music of a class of the account. 0, the class that comes with every account (`locked`), and one that is gone are the standard. */
export function musicOf({ sounds, store }: Book, customerId: number, mohId: number): Sound {
  const moh = store.mohs.get(mohId);
  const isOwn = moh !== undefined && !moh.locked && store.mohs.customerOf(mohId) === customerId;
  return sounds.music(isOwn ? moh.name : undefined);
}

/** The music of the queue or ring group that a caller has called, else the standard one. */
export function musicOfPlace(board: Book, customerId: number, { kind, placeId }: Party): Sound {
  const { queues, ringgroups } = board.store;
  const id = placeId ?? 0;
  const moh = kind === 'queue' ? queues.get(id)?.moh : kind === 'group' ? ringgroups.get(id)?.moh_id : undefined;
  return musicOf(board, customerId, moh ?? 0);
}
