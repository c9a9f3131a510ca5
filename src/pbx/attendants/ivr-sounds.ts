// What an IVR says: names of sounds with commas between them (CHOICE-IVR-SOUNDS). Knows no menu.
import { PROMPTS, type PromptName } from '../../media/prompts.ts';
import type { Sound } from '../../media/sound.ts';
import type { Tongue } from '../../media/tongue.ts';
import type { Switchboard } from '../switchboard.ts';

/** More are left out. */
export const MOST_SOUNDS = 20;

/** An uploaded announcement by its id, a prompt of the catalogue by its name, and every other text read aloud. */
export function soundsOf({ store, sounds }: Switchboard, customerId: number, written: string, tongue: Tongue): Sound[] {
  const names = written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.slice(0, MOST_SOUNDS).flatMap((name) => {
    if (isPrompt(name)) return tongue.prompt(name);
    if (!/^\d+$/.test(name)) return tongue.text(name);
    const announcement = store.vmannouncements.get(Number(name));
    if (announcement === undefined || store.vmannouncements.customerOf(announcement.id) !== customerId) return [];
    return sounds.upload(`vmannouncements/${announcement.id}`, announcement.data);
  });
}

function isPrompt(name: string): name is PromptName {
  return Object.hasOwn(PROMPTS, name);
}
