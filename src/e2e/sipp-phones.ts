// Phones that SIPp plays: they register with an exchange, call, and are called. Knows the exchange by its addresses only.
import {
  callRow,
  explained,
  freePort,
  runSipp,
  type SippPlan,
  type SippProcess,
  type SippReport,
  type SippTransport,
  startSipp,
} from './sipp.ts';

export interface SipAccount {
  readonly ext: string;
  readonly sip_username: string;
  readonly sip_password: string;
}

export interface SipAddresses {
  readonly udp: string;
  readonly tcp: string;
  readonly domain: string;
}

/** What a test says of its calls; the rest follows from the exchange and the phone. */
export type CallPlan = Pick<SippPlan, 'scenario' | 'calls'> &
  Partial<Pick<SippPlan, 'rate' | 'limit' | 'pauseMs' | 'lostPercent' | 'withinMs' | 'callId' | 'remote'>>;

/** A number, or a number and where its call is transferred to. */
export type Dialled = string | readonly [string, string];

const WITHIN_MS = 25_000;
const REGISTER_WITHIN_MS = 5_000;

export class SippPhones {
  readonly transport: SippTransport;
  readonly #exchange: SipAddresses;
  readonly #registered: Array<{ account: SipAccount; port: number }> = [];
  readonly #running = new Set<SippProcess>();

  constructor(exchange: SipAddresses, transport: SippTransport) {
    this.#exchange = exchange;
    this.transport = transport;
  }

  get remote(): string {
    return this.transport === 'UDP' ? this.#exchange.udp : this.#exchange.tcp;
  }

  /** Registers the account with digest, reached at that port. */
  async register(account: SipAccount, port: number): Promise<void> {
    await this.#sendRegister(account, port, 600);
    this.#registered.push({ account, port });
  }

  /** The account's calls to their end, one number of `dialled` (and where to transfer to) after the other. */
  async calls(account: SipAccount, dialled: readonly Dialled[], plan: CallPlan): Promise<SippReport> {
    const phone = await this.starts(account, dialled, plan);
    return phone.ended;
  }

  /** The same calls, left to themselves. */
  async starts(account: SipAccount, dialled: readonly Dialled[], plan: CallPlan): Promise<SippProcess> {
    const rows = dialled.map((to) => (typeof to === 'string' ? callRow(account, to) : callRow(account, ...to)));
    const { remote, transport } = this;
    const keys = { domain: this.#exchange.domain };
    const port = await freePort();
    const phone = startSipp({ remote, transport, withinMs: WITHIN_MS, ...plan, port, rows, keys });
    this.#running.add(phone);
    return phone;
  }

  /** A phone that waits for calls; with an account it is registered first. */
  async waits(account: SipAccount | undefined, plan: CallPlan): Promise<SippProcess & { readonly port: number }> {
    const port = await freePort();
    const { remote, transport } = this;
    const phone = startSipp({ remote, transport, withinMs: WITHIN_MS, ...plan, port });
    this.#running.add(phone);
    await phone.ready();
    if (account !== undefined) await this.register(account, port);
    return { ...phone, port };
  }

  /** Every registration withdrawn, every SIPp ended. */
  async leave(): Promise<void> {
    await Promise.all([...this.#running].map((phone) => phone.stop()));
    this.#running.clear();
    for (const { account, port } of this.#registered.splice(0)) await this.#sendRegister(account, port, 0);
  }

  async #sendRegister(account: SipAccount, contactPort: number, expiresS: number): Promise<void> {
    const { remote, transport } = this;
    const report = await runSipp({
      scenario: 'register',
      ...{ remote, transport, calls: 1, withinMs: REGISTER_WITHIN_MS },
      port: await freePort(),
      rows: [callRow(account)],
      keys: {
        domain: this.#exchange.domain,
        contact_port: String(contactPort),
        contact_params: transport === 'TCP' ? ';transport=tcp' : '',
        expires: String(expiresS),
      },
    });
    if (report.failed > 0) throw new Error(explained(report));
  }
}
