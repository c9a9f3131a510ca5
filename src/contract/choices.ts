// Every choice: what the specification leaves open or says twice, and what the simulator does. Knows no handler.

import type { Choice } from './choice.ts';
import { accountChoices } from './choices/account.ts';
import { authChoices } from './choices/auth.ts';
import { callChoices } from './choices/calls.ts';
import { eventChoices } from './choices/events.ts';
import { mediaChoices } from './choices/media.ts';
import { messageChoices } from './choices/messages.ts';
import { queueChoices } from './choices/queues.ts';
import { recordChoices } from './choices/records.ts';
import { requestChoices } from './choices/requests.ts';
import { userFeatureChoices } from './choices/user-features.ts';
import { voiceChoices } from './choices/voice.ts';
import type { OperationId } from './operations.ts';
import type { ResourceId } from './resources.ts';

const rows = [
  ...requestChoices,
  ...authChoices,
  ...callChoices,
  ...mediaChoices,
  ...recordChoices,
  ...accountChoices,
  ...eventChoices,
  ...userFeatureChoices,
  ...voiceChoices,
  ...queueChoices,
  ...messageChoices,
];

export type ChoiceId = (typeof rows)[number]['id'];

export const choices: readonly Choice[] = rows;

/** The choices that show in an operation. */
export function choicesOfOperation(id: OperationId): readonly Choice[] {
  return choices.filter(({ operations }) => operations?.includes(id) === true);
}

/** The choices that show in a resource's fields. */
export function choicesOfResource(id: ResourceId): readonly Choice[] {
  return choices.filter(({ resources }) => resources?.includes(id) === true);
}
