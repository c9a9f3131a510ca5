// Numbers as the administration application keeps them: whose they are and where they lead.
import type { TProperties } from 'typebox';
import { codeOf, ddiStatusCodes, isWord, targetTypeCodes, wordOf } from '../../contract/codes.ts';
import { type Ddi, DdiSchema } from '../../contract/resources/settings.ts';
import { string } from '../../contract/schema.ts';
import { success } from '../../kernel/errors.ts';
import { utcText } from '../../kernel/time.ts';
import { digitsOf } from '../../phones/public-numbers.ts';
import type { ControlDeps } from '../deps.ts';
import { emptyRecord, type Members, notValid, type RecordKind } from './record-kind.ts';

const properties: TProperties = {
  ...DdiSchema.properties,
  e164: string({ pattern: '^\\+?[1-9][0-9]{4,14}$', description: 'E.164, with or without +' }),
};

export const ddiRecords: RecordKind = {
  id: 'ddis',
  name: 'number',
  properties,
  required: ['e164'],
  fixed: ['id'],
  list: ({ store }, customerId) => [...store.ddis.list(customerId)],
  get: ({ store }, id) => store.ddis.get(id),
  ownerOf: ({ store }, id) => store.ddis.customerOf(id),
  create: (deps, customerId, members) => {
    const { store, clock } = deps;
    const problems = problemsOf(deps, customerId, members, undefined);
    if (problems.length > 0) return notValid(...problems);
    const ddi = {
      ...emptyRecord(DdiSchema),
      channels: 4,
      status: codeOf(ddiStatusCodes, 'active'),
      sms_enabled: true,
      tel_verified: true,
      created_at: utcText(clock.now()),
      ...written(members),
      id: String(store.ddis.nextId(customerId)),
    } as Ddi;
    return success(store.ddis.insert(customerId, ddi));
  },
  change: (deps, id, members) => {
    const before = deps.store.ddis.get(id);
    const customerId = deps.store.ddis.customerOf(id);
    if (before === undefined || customerId === undefined) return notValid(`id: no number ${id}`);
    const problems = problemsOf(deps, customerId, { ...before, ...members }, id);
    if (problems.length > 0) return notValid(...problems);
    return success(deps.store.ddis.update(id, written(members)) ?? before);
  },
  remove: ({ store }, id) => store.ddis.delete(id),
};

/** Numbers are kept with `+`, however they are written. */
function written(members: Members): Partial<Ddi> {
  const { e164, ...rest } = members;
  return (typeof e164 === 'string' ? { ...rest, e164: `+${digitsOf(e164)}` } : rest) as Partial<Ddi>;
}

function problemsOf({ store }: ControlDeps, customerId: number, members: Members, self: string | undefined): string[] {
  const { e164, target_type: type = 0, target_id: target = 0 } = members;
  const problems: string[] = [];
  const owners = typeof e164 === 'string' ? store.ddis.find('e164', `+${digitsOf(e164)}`) : [];
  if (owners.some(({ id }) => id !== self)) problems.push(`e164: ${String(e164)} is taken`);
  const word = wordOf(targetTypeCodes, Number(type));
  if (word === undefined || !isWord(targetTypeCodes, word)) {
    const known = targetTypeCodes.words.map((one) => `${codeOf(targetTypeCodes, one)} ${one}`);
    problems.push(`target_type: expected one of ${known.join(', ')}`);
  }
  if (word === 'U' && store.users.customerOf(Number(target)) !== customerId) {
    problems.push(`target_id: the customer has no user ${String(target)}`);
  }
  return problems;
}
