// A private world for one call: an exchange, the phones of those who took part and the public network, at the time of the call.
import { codeOf, ddiStatusCodes, ruleDirectionCodes, targetTypeCodes } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Ddi, RoutingRule } from '../contract/resources/settings.ts';
import { resources } from '../contract/resources.ts';
import { ID_BLOCK, IdBlocks } from '../kernel/ids.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { utcText } from '../kernel/time.ts';
import { Timeline } from '../kernel/timeline.ts';
import { TelephoneExchange } from '../pbx/exchange.ts';
import type { Behaviour } from '../phones/behaviour.ts';
import { Carrier } from '../phones/carrier.ts';
import { Fleet } from '../phones/fleet.ts';
import type { FlowListener } from '../sip/flow.ts';
import { type MemoryFlow, memoryPair, type WireConditions } from '../sip/memory-flow.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import { createStore, type Store } from '../store/store.ts';
import { payloadOf } from '../webhooks/payload.ts';
import type { PastParty, PastScript } from './script.ts';

/** As the exchange of the present is called. */
export interface StageNames {
  readonly domain: string;
  readonly product: string;
}

/** Entries that are kept: more than a day of one call and its phones' registrations makes. */
const JOURNAL_ENTRIES = 10_000;

/** How much longer a phone would have rung. */
const PATIENCE_S = 60;

export class Stage {
  readonly clock: Timeline;
  readonly journal: Journal;
  readonly store: Store;
  readonly exchange: TelephoneExchange;
  readonly phones: Fleet;
  readonly trunk: Carrier;
  readonly #script: PastScript;
  readonly #names: StageNames;
  #wires = 0;

  constructor(script: PastScript, names: StageNames) {
    this.#script = script;
    this.#names = names;
    const random = new Random(`past/${script.liveId}`);
    this.clock = new Timeline({ mode: 'manual', startMs: script.startedAt });
    this.journal = new Journal(this.clock, JOURNAL_ENTRIES);
    this.clock.carry(this.journal);
    this.store = createStore();
    const { customerId } = script;
    const account = { id: customerId, name: '', balance: 0, currencyIso: '', countryCode: '' };
    this.store.customers.insert(customerId, account);
    const liveIds = new IdBlocks();
    // The next call has the live id that it had.
    liveIds.restore([[script.customerId, (script.liveId % ID_BLOCK) - 1]]);
    const { domain, product } = names;
    const { clock, journal } = this;
    const shared = { clock, domain };
    this.exchange = new TelephoneExchange({
      ...{ ...shared, random: random.split('exchange'), journal, store: this.store, product, liveIds },
      connect: () => undefined,
      wordsOf: payloadOf,
    });
    this.phones = new Fleet({
      ...{ ...shared, random: random.split('phones') },
      connect: (listener) => this.#wire('phone', listener)[0],
    });
    this.trunk = new Carrier({
      ...{ ...shared, random: random.split('trunk') },
      isOurs: (number) => this.exchange.hasNumber(number),
      connect: (listener) => {
        const [theirs, ours] = this.#wire('carrier', listener);
        this.exchange.setTrunk(ours);
        return theirs;
      },
    });
  }

  /** A party behaves so when it is called. A user has a phone from here on, unless it is said to be away. */
  cast(party: PastParty, behaviour: Behaviour, isThere = true): void {
    const { customerId } = this.#script;
    const { userId, number, name } = party;
    if (userId === null) {
      this.trunk.script(number, behaviour);
      return;
    }
    const [sipUsername, sipPassword] = [`${customerId}-${number}`, 'past'];
    const known = this.store.users.get(userId);
    if (known === undefined) this.#hire(userId, party, { sipUsername, sipPassword });
    const account = { customerId, userId, sipUsername, sipPassword };
    this.phones.add({ ...account, ext: number, displayName: name, behaviour, registers: isThere });
  }

  close(): void {
    this.phones.closeAll();
    this.trunk.close();
    this.exchange.close();
    this.clock.close();
  }

  #hire(id: number, party: PastParty, login: { readonly sipUsername: string; readonly sipPassword: string }): void {
    const { customerId, ringMs, startedAt, callee, dialled, shown, end, isVoicemail } = this.#script;
    const now = utcText(startedAt);
    // Only where nobody answered did the exchange itself stop the ringing.
    const ringTimeS = ringMs / 1000 + (end === 'ring' ? 0 : PATIENCE_S);
    this.store.users.insert(customerId, {
      ...(emptyRecord(resources.users.schema, now) as User),
      ...{ id, customer: customerId, customer_id_id: customerId, active: true, cw: true },
      ...{ first_name: party.name, ext: party.number, ring_time: String(ringTimeS), cli: shown },
    });
    const account = { id, email: '', password: '', apiKey: null, role: 'agent' as const, ...login };
    this.store.accounts.insert(customerId, account);
    if (party !== callee) return;
    if (isVoicemail) this.#sendToVoicemail(id);
    if (dialled === '') return;
    this.store.ddis.insert(customerId, {
      ...(emptyRecord(resources.ddis.schema, now) as Ddi),
      ...{ id: '1', e164: dialled, status: codeOf(ddiStatusCodes, 'active') },
      ...{ target_type: codeOf(targetTypeCodes, 'U'), target_id: id },
    });
  }

  /** Whoever calls the user comes there at once, without another call before it. */
  #sendToVoicemail(userId: number): void {
    const { customerId, startedAt } = this.#script;
    this.store.routingrules.insert(customerId, {
      ...(emptyRecord(resources.routingrules.schema, utcText(startedAt)) as RoutingRule),
      ...{ id: 1, pos: 1, direction: codeOf(ruleDirectionCodes, 'in'), action: `redirect:V:${userId}` },
    });
  }

  #wire(name: string, listener: FlowListener): [MemoryFlow, MemoryFlow] {
    this.#wires += 1;
    const { domain } = this.#names;
    const conditions = this.#script.rings ? {} : { conditions: withoutRinging };
    return memoryPair({
      clock: this.clock,
      ends: [
        { address: { host: `${name}-${this.#wires}.invalid`, port: 5060 }, listener, ...conditions },
        { address: { host: domain, port: 5060 }, listener: this.exchange.listener },
      ],
    });
  }
}

const RINGING = Buffer.from('SIP/2.0 180');

/** Of a phone whose caller never heard that it rings. */
const withoutRinging: WireConditions = (bytes) => (RINGING.equals(bytes.subarray(0, RINGING.length)) ? [] : [0]);
