// Routing rules: in one order without gaps, each with an action that can be done. Knows no call.
import { ruleDirectionCodes, wordOf } from '../../../contract/codes.ts';
import { isRuleEnd, parseAction, parseInterval, ruleList } from '../../routing-rules.ts';
import type { Stored } from '../../stored.ts';
import { leadsSomewhere } from '../destinations.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Rule = Stored['routingrules'];

/** Rules of an account: each is asked for each call. */
export const MAX_RULES = 1000;

export const routingRuleRules = rulesFor<Rule>({
  ofAccount: ['customer'],
  usual: () => ({ action: 'block' }),
  derived: (ground, after, before) => ({
    // The direction is chosen once: a PATCH does not change it.
    direction: before?.direction ?? after.direction,
    pos: placeOf(ground, after.pos, before),
    final_dst: parseAction(after.action)?.kind === 'redirect',
  }),
  problems: (ground, after, before) => [
    ...(before === undefined && ground.store.routingrules.count(ground.customerId) >= MAX_RULES
      ? [`action: the account has ${MAX_RULES} routing rules, the most that it may have`]
      : []),
    ...strangeDirection(after),
    ...strangeEnds(ground, after, before),
    ...strangeAction(ground, after, before),
  ],
  settle: (ground, { after }) => closeRanks(ground, after),
});

/** From 1 on; 0, and what is past the end, is the end. */
function placeOf({ store, customerId }: Ground, pos: number, before: Rule | undefined): number {
  const last = store.routingrules.count(customerId) + (before === undefined ? 1 : 0);
  return pos < 1 || pos > last ? last : pos;
}

/** The others make room for the one that came or moved, and close the gap that it left. */
function closeRanks({ store, customerId }: Ground, placed: Rule | undefined): void {
  const others = [...store.routingrules.list(customerId)].filter(({ id }) => id !== placed?.id);
  others.sort((one, other) => one.pos - other.pos || one.id - other.id);
  const order = placed === undefined ? others : others.toSpliced(placed.pos - 1, 0, placed);
  order.forEach(({ id, pos }, index) => {
    if (pos !== index + 1) store.routingrules.update(id, { pos: index + 1 });
  });
}

function strangeDirection({ direction }: Rule): string[] {
  return wordOf(ruleDirectionCodes, direction) === undefined
    ? [`direction: expected ${ruleDirectionCodes.words.join(' or ')}`]
    : [];
}

function strangeEnds({ store, customerId }: Ground, after: Rule, before: Rule | undefined): string[] {
  const ends = (['source', 'destination'] as const).flatMap((member) =>
    after[member] === before?.[member]
      ? []
      : ruleList(after[member]).flatMap((element, index) => {
          const place = `${member}[${index}]`;
          if (!isRuleEnd(element))
            return [`${place}: expected a number, a number with * at its end, an id, anonymous or group:<id>`];
          const [, group] = /^group:(\d+)$/.exec(element) ?? [];
          if (group === undefined || store.usergroups.customerOf(Number(group)) === customerId) return [];
          return [`${place}: there is no user group ${group} in this account`];
        }),
  );
  const times =
    after.time_interval === before?.time_interval
      ? []
      : ruleList(after.time_interval).flatMap((element, index) =>
          parseInterval(element) === undefined
            ? [`time_interval[${index}]: expected an id, or days with times in UTC as in mon-fri@09:00-17:30`]
            : [],
        );
  return [...ends, ...times];
}

function strangeAction(ground: Ground, { action }: Rule, before: Rule | undefined): string[] {
  if (action === before?.action) return [];
  const parsed = parseAction(action);
  if (parsed === undefined)
    return ['action: expected block, or redirect:<letter>:<id> with one of the letters U, V, R, I, Q, C'];
  if (parsed.kind === 'block' || leadsSomewhere(ground, `${parsed.letter}:${parsed.id}`)) return [];
  return [`action: there is nothing with the id ${parsed.id} that ${parsed.letter} leads to`];
}
