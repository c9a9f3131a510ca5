// A simulator for one scenario, as the harness gets any target: addresses and credentials. The only place where both programs meet.
import { callStateCodes } from '../contract/codes.ts';
import type { UserName } from '../harness/language/document.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { ROLE_NAMES } from '../harness/target/role-names.ts';
import type { TargetUser } from '../harness/target/target.ts';
import { Simulator } from '../simulator.ts';
import { written } from './ready.ts';

export interface FreshOptions {
  readonly seed: number | string;
  /** `real` for phones that live in real time, with SIP open for them. */
  readonly clock: 'manual' | 'real';
  /** PEM of an authority of webhook receivers; with it their URLs must be HTTPS, as the specification wants. */
  readonly webhookCa?: string;
}

export async function leaseSimulator({ seed, clock, webhookCa }: FreshOptions): Promise<TargetLease> {
  const webhooks = webhookCa === undefined ? { allowHttpWebhooks: true } : { webhookCa };
  const simulator = new Simulator({ seed, clock, ...webhooks });
  try {
    const url = await simulator.listenHttp(0);
    const sip = clock === 'real' ? await simulator.listenSip(0) : undefined;
    return {
      target: {
        name: 'fresh simulator',
        apiRoot: `${url}/v1.1/pbx`,
        users: usersOf(simulator.world.customers),
        control: { root: `${url}/_sim` },
        ...(sip === undefined
          ? {}
          : { sip: { domain: sip.domain, udp: written(sip.udp), tcp: written(sip.tcp), ws: sip.ws } }),
        webhooks: { how: 'control' },
        time: clock,
        fresh: true,
        callStates: callStateCodes.codes,
      },
      close: () => simulator.close(),
    };
  } catch (error) {
    await simulator.close();
    throw error;
  }
}

function usersOf(customers: Simulator['world']['customers']): Partial<Record<UserName, TargetUser>> {
  const all = customers.flatMap(({ users, numbers }) =>
    users.map((user, index) => ({ ...user, number: numbers[index] })),
  );
  return Object.fromEntries(
    ROLE_NAMES.flatMap(([name, role]) => {
      const user = all.find((one) => one.role === role);
      if (user === undefined) return [];
      const { user_id: id, api_key: key, customer_id: customerId, email, password, ext, number } = user;
      const sip = { username: user.sip_username, password: user.sip_password };
      return [[name, { id, key, customerId, email, password, ext, sip, ...(number === undefined ? {} : { number }) }]];
    }),
  );
}
