// Whom traffic can move in an account: phones that are free, numbers by what they lead to, people outside. Starts no call.
import { codeOf, targetTypeCodes } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Random } from '../kernel/random.ts';
import { inventionFrom } from '../store/seed/invention.ts';
import { outsideNumber } from '../store/seed/numbers.ts';
import type { TrafficPorts } from './ports.ts';

type TargetWord = keyof typeof targetTypeCodes.codes;

/** A user at a simulated phone. */
export interface Desk {
  readonly ext: string;
  readonly userId: number;
}

/** A number of the account. */
export interface Line {
  readonly e164: string;
  readonly targetId: number;
}

/** Phones that are looked at before nobody is free. */
const LOOKS = 12;
/** How long what is known of the account is good for, in ms on the clock. */
const KNOWN_FOR_MS = 60_000;
/** People outside who call and are called; the last ones of the range are left to tests. */
const OUTSIDERS = 60;
/** Of those who call, so many hide who they are. */
const ANONYMOUS = 0.04;
/** One in so many is known to the network by the number alone. */
const NAMELESS = 5;

interface Known {
  readonly at: number;
  readonly desks: readonly Desk[];
  readonly lines: ReadonlyMap<TargetWord, readonly Line[]>;
  readonly faxes: readonly string[];
  readonly campaigns: readonly Line[];
}

export class Town {
  readonly customerId: number;
  readonly #ports: TrafficPorts;
  readonly #random: Random;
  #known: Known | undefined;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(ports: TrafficPorts, random: Random, customerId: number) {
    this.#ports = ports;
    this.#random = random;
    this.customerId = customerId;
  }

  /** Simulated phones of the account. */
  get desks(): readonly Desk[] {
    return this.#now.desks;
  }

  /** A user whose simulated phone is registered, on no call and left as it was: who scripts a phone has it to himself. */
  freeDesk(...but: readonly (Desk | undefined)[]): Desk | undefined {
    const { desks } = this.#now;
    for (let look = 0; look < LOOKS && desks.length > 0; look += 1) {
      const desk = desks[this.#random.int(desks.length)];
      if (desk !== undefined && !but.includes(desk) && this.#isFree(desk)) return desk;
    }
    return undefined;
  }

  /** Likewise, among users like that: the first from somewhere on. */
  freeDeskWhere(isWanted: (user: User) => boolean, ...but: readonly (Desk | undefined)[]): Desk | undefined {
    const { desks } = this.#now;
    const from = desks.length === 0 ? 0 : this.#random.int(desks.length);
    for (let step = 0; step < desks.length; step += 1) {
      const desk = desks[(from + step) % desks.length];
      const user = desk && this.#ports.store.users.get(desk.userId);
      if (desk && user && isWanted(user) && !but.includes(desk) && this.#isFree(desk)) return desk;
    }
    return undefined;
  }

  /** A number that leads to something of that kind. */
  line(word: TargetWord): Line | undefined {
    const lines = this.#now.lines.get(word) ?? [];
    return lines.length === 0 ? undefined : lines[this.#random.int(lines.length)];
  }

  /** A number that sends and takes faxes. */
  faxLine(): string | undefined {
    const { faxes } = this.#now;
    return faxes.length === 0 ? undefined : faxes[this.#random.int(faxes.length)];
  }

  /** The number that rings the user. */
  lineOf({ userId }: Desk): Line | undefined {
    return this.#now.lines.get('U')?.find(({ targetId }) => targetId === userId);
  }

  /** A number that is on advertisements. */
  campaignLine(): Line | undefined {
    const { campaigns } = this.#now;
    return campaigns.length === 0 ? undefined : campaigns[this.#random.int(campaigns.length)];
  }

  /** Somebody outside who calls: its number, or `anonymous`. */
  caller(): string {
    return this.#random.float() < ANONYMOUS ? 'anonymous' : this.outsider();
  }

  /** What the network says of that number: most people are known to it, those whom the account knows by the same name. */
  nameOf(number: string): string | undefined {
    this.#names ??= this.#invention();
    return this.#names.get(number);
  }

  outsider(): string {
    return outsideNumber(this.#random.int(OUTSIDERS));
  }

  get #now(): Known {
    const at = this.#ports.clock.now();
    if (this.#known === undefined || at - this.#known.at > KNOWN_FOR_MS || at < this.#known.at)
      this.#known = {
        at,
        desks: this.#findDesks(),
        lines: this.#findLines(),
        faxes: this.#findFaxes(),
        campaigns: this.#findCampaigns(),
      };
    return this.#known;
  }

  #isFree({ ext }: Desk): boolean {
    return this.#ports.phones.isFree(this.customerId, ext);
  }

  /** Not from what the days are drawn from: who is called what changes nothing. */
  #invention(): Map<string, string> {
    const invention = inventionFrom(this.#random.split('names'));
    const names = new Map<string, string>();
    for (let index = 0; index < OUTSIDERS; index += 1) {
      const name = `${invention.firstName()} ${invention.lastName()}`;
      if (index % NAMELESS !== 0) names.set(outsideNumber(index), name);
    }
    for (const { tel, first_name, last_name } of this.#ports.store.contacts.list(this.customerId))
      if (tel !== '') names.set(tel, `${first_name} ${last_name}`.trim());
    return names;
  }

  #findDesks(): Desk[] {
    return this.#ports.phones.list(this.customerId).map(({ ext, user_id }) => ({ ext, userId: user_id }));
  }

  #findFaxes(): string[] {
    const { ddis } = this.#ports.store;
    return [...ddis.list(this.customerId)].filter(({ fax_enabled }) => fax_enabled).map(({ e164 }) => e164);
  }

  #findCampaigns(): Line[] {
    const user = codeOf(targetTypeCodes, 'U');
    return [...this.#ports.store.ddis.list(this.customerId)]
      .filter(({ campaign_id = 0, target_type, status }) => campaign_id > 0 && target_type === user && status !== 0)
      .map(({ e164, target_id }) => ({ e164, targetId: target_id }));
  }

  #findLines(): Map<TargetWord, Line[]> {
    const found = new Map<TargetWord, Line[]>();
    for (const { e164, target_type, target_id, status } of this.#ports.store.ddis.list(this.customerId)) {
      const word = targetTypeCodes.byCode.get(target_type);
      if (word === undefined || word === 'none' || status === 0) continue;
      const lines = found.get(word) ?? [];
      lines.push({ e164, targetId: target_id });
      found.set(word, lines);
    }
    return found;
  }
}
