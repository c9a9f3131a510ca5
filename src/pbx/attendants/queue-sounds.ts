// The sounds that somebody has listed in a queue: prompts by name, uploads by id, else words to be read (CHOICE-QUEUE-SOUNDS).
import { PROMPTS, type PromptName } from '../../media/prompts.ts';
import type { Sound } from '../../media/sound.ts';
import type { Switchboard } from '../switchboard.ts';

/** More are not played: a caller waits for an agent, not for the end of a list. */
const MOST_SOUNDS = 10;

/** A list with commas, or a JSON array of names, ids and objects with an id. */
export function listedSounds({ store, sounds }: Switchboard, customerId: number, listed: string): Sound[] {
  return namesIn(listed)
    .slice(0, MOST_SOUNDS)
    .map((name) => {
      if (isPrompt(name)) return sounds.prompt(name);
      const id = /^\d{1,15}$/.test(name) ? Number(name) : undefined;
      const upload = id === undefined ? undefined : store.vmannouncements.get(id);
      const isOwn = id !== undefined && store.vmannouncements.customerOf(id) === customerId;
      return upload !== undefined && isOwn
        ? sounds.upload(`vmannouncements/${upload.id}`, upload.data)
        : sounds.text(name);
    });
}

function namesIn(listed: string): string[] {
  const parsed = listed.startsWith('[') || listed.startsWith('{') ? fromJson(listed) : undefined;
  const names = parsed ?? listed.split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function fromJson(text: string): string[] | undefined {
  try {
    return [JSON.parse(text) as unknown].flat().map(nameOf);
  } catch {
    return undefined;
  }
}

function nameOf(element: unknown): string {
  if (typeof element === 'string' || typeof element === 'number') return String(element);
  const id = typeof element === 'object' && element !== null && 'id' in element ? element.id : '';
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

function isPrompt(name: string): name is PromptName {
  return Object.hasOwn(PROMPTS, name);
}
