// What the media of a call leaves: sessions, their records, and recordings as long as their size says.
import { mp3Bytes } from '../../../contract/recording-format.ts';
import type { Stored } from '../../stored.ts';
import { rulesFor } from '../rules.ts';

export const mediaSessionRules = rulesFor<Stored['mediasessions']>({ remembers: { user: 'users' } });

export const msdrRules = rulesFor<Stored['msdrs']>({
  remembers: { user_id: 'users', media_session_id: 'mediasessions' },
});

export const monitorRules = rulesFor<Stored['monitors']>({
  remembers: { user_id: 'users' },
  /** Whoever says nothing of the size gets that of the sound. */
  derived: (_, after, before) => {
    const isTold = before === undefined ? after.size > 0 : after.size !== before.size;
    return isTold || after.duration === before?.duration ? {} : { size: mp3Bytes(after.duration) };
  },
});
