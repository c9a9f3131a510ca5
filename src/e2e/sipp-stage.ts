// A served simulator with phones of both kinds, for the tests with SIPp: starts calls over REST and asks what became of them.

import type { SippProcess, SippReport, SippTransport } from './sipp.ts';
import { type CallPlan, SippPhones } from './sipp-phones.ts';
import { type Collection, eventually, ServedSimulator, type ServedUser } from './sipp-served.ts';

/** Calls that the tests start over REST and that go on at a time. */
const AT_A_TIME = 20;

export class SippStage {
  readonly simulator: ServedSimulator;
  readonly phones: SippPhones;

  private constructor(simulator: ServedSimulator, transport: SippTransport) {
    this.simulator = simulator;
    this.phones = new SippPhones(simulator.ready.sip, transport);
  }

  /** Every simulated handset answers at once. */
  static async open(transport: SippTransport, ...flags: readonly string[]): Promise<SippStage> {
    const stage = new SippStage(await ServedSimulator.start(...flags), transport);
    for (const { ext } of stage.users) await stage.simulator.behave(ext, { on_call: 'answer', after_ms: 0 });
    return stage;
  }

  /** The first customer's users. */
  get users(): readonly ServedUser[] {
    const [first] = this.simulator.ready.users;
    return this.simulator.ready.users.filter((user) => user.customer_id === first?.customer_id);
  }

  user(index: number): ServedUser {
    const user = this.users[index];
    if (user === undefined) throw new Error(`the ready line has no user ${index}`);
    return user;
  }

  /** A SIPp phone of the nth user that is called by SIPp phone of another. */
  async pair(caller: CallPlan, callee: CallPlan): Promise<readonly SippReport[]> {
    const phone = await this.phones.waits(this.user(1), callee);
    const report = await this.phones.calls(this.user(0), [this.user(1).ext], caller);
    return [report, await phone.ended];
  }

  /** `total` of the first user's customer. */
  async total(path: '/calls' | '/cdrs'): Promise<number> {
    const { body } = await this.simulator.api<Collection<object>>(this.user(0), 'GET', `${path}?limit=1`);
    return body.total;
  }

  /** Starts so many calls, a few at a time, and tells with which statuses; resolves when the phone has had them all. */
  async drive(
    calls: number,
    phone: SippProcess,
    startOne: () => Promise<{ readonly status: number }>,
  ): Promise<{ statuses: readonly number[]; report: SippReport }> {
    const statuses = new Set<number>();
    for (let call = 0; call < calls; call += 1) {
      if (call % AT_A_TIME === 0)
        await eventually(
          () => this.total('/calls'),
          (live) => live < AT_A_TIME,
        );
      statuses.add((await startOne()).status);
    }
    return { statuses: [...statuses], report: await phone.ended };
  }

  async close(): Promise<void> {
    try {
      await this.phones.leave();
    } finally {
      await this.simulator.stop();
    }
  }
}
