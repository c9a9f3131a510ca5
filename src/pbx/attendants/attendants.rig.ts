// A small watched company whose callers the exchange itself answers: what they hear, and the keys that they press.
import { codeOf, folderCodes } from '../../contract/codes.ts';
import { dataOf } from '../../kernel/journal.ts';
import { wavFile } from '../../media/wav.rig.ts';
import { createRecord } from '../../store/records/record-book.ts';
import type { TestCall } from '../exchange.rig.ts';
import { watched } from '../ring-group.rig.ts';

/** The watched company, and an ear at the exchange's mouth. */
export function attended() {
  const all = watched();
  const { rig } = all;
  const startedAt = rig.clock.now();
  /** What began to be heard, and after how many seconds; `-` where it was cut short. */
  const sounds: string[] = [];
  rig.journal.subscribe((entry) => {
    const seconds = (entry.at - startedAt) / 1000;
    if (entry.kind === 'sound.played') sounds.push(`${String(dataOf(entry).name)} ${seconds}`);
    if (entry.kind === 'sound.stopped') sounds.push(`- ${seconds}`);
    if (entry.kind === 'sound.echoed') sounds.push(`echo ${seconds}`);
  });
  /** The keys one after the other, a moment apart. */
  const press = (call: TestCall, keys: string): void => {
    for (const key of keys) {
      call.send('INFO', [], `Signal=${key}\r\nDuration=160\r\n`, 'application/dtmf-relay');
      rig.pass(100);
    }
  };
  const messages = () => [...rig.store.voicemessages.list(rig.customer.customerId)];
  /** Messages of so many seconds in the box of that user, the oldest first: new ones, or in a folder. */
  const leave = (index: 0 | 1 | 2, ...left: ReadonlyArray<readonly [seconds: number, folder?: 'old' | 'saved']>) =>
    left.map(([duration, folder = 'inbox']) => {
      const ground = { store: rig.store, customerId: rig.customer.customerId, nowMs: rig.clock.now() };
      const facts = { extension_id: all.ids[index], duration, folder: codeOf(folderCodes, folder) };
      const created = createRecord(ground, 'voicemessages', { ...facts, is_new: folder === 'inbox' });
      return created.ok ? Number(created.value.id) : 0;
    });
  const counts = (index: 0 | 1 | 2) => {
    const { vm_new, vm_old } = rig.store.users.get(all.ids[index]) ?? {};
    return [vm_new, vm_old];
  };
  return { ...all, sounds, press, messages, leave, counts };
}

/** So many seconds of silence as a WAV file (8 kHz, 16 bits, one channel), in Base64. */
export function chime(seconds: number): string {
  return wavFile(seconds * 8000, () => 0).toString('base64');
}
