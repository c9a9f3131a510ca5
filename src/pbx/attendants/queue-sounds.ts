// The sounds that somebody has listed in a queue: as an IVR lists its own, or as JSON (CHOICE-QUEUE-SOUNDS). Knows no caller.
import type { Sound } from '../../media/sound.ts';
import type { Tongue } from '../../media/tongue.ts';
import type { Switchboard } from '../switchboard.ts';
import { soundsOf } from './ivr-sounds.ts';

/** A list with commas, or a JSON array of names, ids and objects with an id. */
export function listedSounds(board: Switchboard, customerId: number, listed: string, tongue: Tongue): Sound[] {
  return soundsOf(board, customerId, fromJson(listed) ?? listed, tongue);
}

function fromJson(text: string): string | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return [JSON.parse(text) as unknown].flat().map(nameOf).join(',');
  } catch {
    return undefined;
  }
}

function nameOf(element: unknown): string {
  if (typeof element === 'string' || typeof element === 'number') return String(element);
  const id = typeof element === 'object' && element !== null && 'id' in element ? element.id : '';
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
