// The sounds that the journal names, made again for recordings of parties in memory: uploads are looked up, what was spoken is its
// melody, so that a recording is the same file on every machine. Knows no recording.
import { SoundBook } from '../media/sound-book.ts';
import type { Store } from '../store/store.ts';

/** An upload that is another one by now, or gone, is a melody as long as it was. */
export function soundsByName({ vmannouncements }: Pick<Store, 'vmannouncements'>): Pick<SoundBook, 'named'> {
  const book = new SoundBook();
  return {
    named: (name, durationMs) => {
      const [, id] = /^upload\/vmannouncements\/(\d{1,15})$/.exec(name) ?? [];
      const upload = id === undefined ? undefined : vmannouncements.get(Number(id));
      const sound = upload && book.upload(`vmannouncements/${upload.id}`, upload.data);
      return sound?.durationMs === durationMs ? sound : book.named(name, durationMs);
    },
  };
}
