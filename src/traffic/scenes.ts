// What happens in a living company, kind by kind, under one roof. Draws no kind.
import { calls } from './calls.ts';
import { messages } from './messages.ts';
import { places } from './places.ts';
import type { Scene } from './stage.ts';
import { transfers } from './transfers.ts';

export const scenes = { ...calls, ...transfers, ...places, ...messages } as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
