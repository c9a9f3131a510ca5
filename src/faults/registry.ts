// The rules that are set now: which one strikes a message, how often each has. Knows nothing of what a strike does.
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { EntryFacts, Journal, JournalData } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import { isoText } from '../kernel/time.ts';
import {
  type Boundary,
  describeFault,
  type FaultAction,
  type FaultDraft,
  type FaultFacts,
  type FaultMatch,
  type FaultView,
  MAX_RULES,
  ttlMs,
} from './rule.ts';

export interface FaultRegistryDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: Journal;
  readonly random: Random;
}

/** The rules with their counts, for snapshots. */
export interface FaultsState {
  readonly lastId: number;
  readonly rules: ReadonlyArray<Pick<Rule, 'id' | 'draft' | 'expiresAt' | 'matched' | 'acted'>>;
}

/** A rule that acts on a message now. */
export interface Strike {
  readonly rule: number;
  readonly action: FaultAction;
  /** The rule's own chance, for what the action draws. */
  readonly random: Random;
}

interface Rule {
  readonly id: number;
  readonly draft: FaultDraft;
  /** ms since 1970 on the clock. */
  readonly expiresAt: number;
  readonly chance: Random;
  readonly random: Random;
  matched: number;
  acted: number;
}

/**
 * Rules are tried in the order in which they were set, and a message is struck by one at most: the first that acts has
 * it, and those behind that one do not see it.
 */
export class FaultRegistry {
  readonly #deps: FaultRegistryDeps;
  readonly #rules: Record<Boundary, Rule[]> = { api: [], webhook: [], sip: [] };
  #lastId = 0;

  constructor(deps: FaultRegistryDeps) {
    this.#deps = deps;
  }

  /** Whether any rule is set there: all that a boundary asks while there is none. */
  has(at: Boundary): boolean {
    return this.#rules[at].length > 0;
  }

  /** Sets a rule behind the others. `conflict` when there are as many as there may be. */
  set(draft: FaultDraft): Result<FaultView> {
    const { clock, journal } = this.#deps;
    this.#forgetExpired();
    if (this.#all().length >= MAX_RULES)
      return failure('conflict', `There are ${MAX_RULES} faults, and no more may be set.`);
    this.#lastId += 1;
    const life = draft.ttl === undefined ? undefined : ttlMs(draft.ttl);
    const expiresAt = life === undefined ? Number.POSITIVE_INFINITY : clock.now() + life;
    const rule = this.#add({ id: this.#lastId, draft, expiresAt, matched: 0, acted: 0 });
    journal.append('control.fault_set', { data: { rule: rule.id, ...written(draft) } });
    return success(viewOf(rule));
  }

  /** In the order in which they were set. */
  list(): FaultView[] {
    this.#forgetExpired();
    return this.#all().map(viewOf);
  }

  /** Those that may still act, one line each for people. */
  describeActive(): string[] {
    return this.list()
      .filter(({ active }) => active)
      .map(describeFault);
  }

  /** False when there is no such rule. */
  remove(id: number): boolean {
    this.#forgetExpired();
    const rule = this.#all().find((one) => one.id === id);
    if (rule === undefined) return false;
    this.#keep((one) => one !== rule);
    this.#deps.journal.append('control.fault_removed', { data: { rule: id } });
    return true;
  }

  clear(): void {
    for (const { id } of this.list()) this.remove(id);
  }

  state(): FaultsState {
    return {
      lastId: this.#lastId,
      rules: this.#all().map(({ id, draft, expiresAt, matched, acted }) => ({ id, draft, expiresAt, matched, acted })),
    };
  }

  /** The rules of then, and no other. */
  restore({ lastId, rules }: FaultsState): void {
    this.#keep(() => false);
    for (const rule of rules) this.#add(rule);
    this.#lastId = lastId;
  }

  #add(facts: Omit<Rule, 'chance' | 'random'>): Rule {
    const own = this.#deps.random.split(`rule ${facts.id}`);
    const rule = { ...facts, chance: own.split('chance'), random: own.split('action') };
    this.#rules[facts.draft.match.at].push(rule);
    return rule;
  }

  /** The rule that acts on this message, counted; undefined: it passes as it is. `isPossible` says what can be done to it. */
  strike(facts: FaultFacts, isPossible: (action: FaultAction) => boolean = () => true): Strike | undefined {
    const now = this.#deps.clock.now();
    for (const rule of this.#rules[facts.at]) {
      const { match, action, after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = rule.draft;
      if (rule.expiresAt <= now || !matches(match, facts) || !isPossible(action)) continue;
      rule.matched += 1;
      if (rule.matched <= after || rule.acted >= times) continue;
      if (probability < 1 && rule.chance.float() >= probability) continue;
      rule.acted += 1;
      return { rule: rule.id, action, random: rule.random };
    }
    return undefined;
  }

  /** Journals what a strike did, under the entry that it struck. Returns the entry's `seq`. */
  note({ rule, action }: Strike, facts: FaultFacts, entry: Omit<EntryFacts, 'data'>, more: JournalData = {}): number {
    const data = { rule, ...facts, action: { ...action }, ...more };
    return this.#deps.journal.append('fault', { ...entry, data });
  }

  #all(): Rule[] {
    return Object.values(this.#rules)
      .flat()
      .sort((one, other) => one.id - other.id);
  }

  #forgetExpired(): void {
    const now = this.#deps.clock.now();
    this.#keep((rule) => rule.expiresAt > now);
  }

  #keep(stays: (rule: Rule) => boolean): void {
    for (const [at, rules] of Object.entries(this.#rules)) this.#rules[at as Boundary] = rules.filter(stays);
  }
}

function written({ match, action, times, after, probability, ttl }: FaultDraft): JournalData {
  return { match: { ...match }, action: { ...action }, times, after, probability, ttl };
}

function matches(match: FaultMatch, facts: FaultFacts): boolean {
  const seen: Partial<Record<string, string | null>> = facts;
  return (['operation', 'event', 'method', 'direction'] as const).every(
    (name) => match[name] === undefined || match[name] === seen[name],
  );
}

function viewOf({ id, draft, expiresAt, matched, acted }: Rule): FaultView {
  const active = draft.times === undefined || acted < draft.times;
  return {
    id,
    ...draft,
    matched,
    acted,
    active,
    expires_at: expiresAt === Number.POSITIVE_INFINITY ? null : isoText(expiresAt),
  };
}
