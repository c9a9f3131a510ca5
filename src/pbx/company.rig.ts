// A small company on the test rig: three registered phones, the public network, and two of them already talking.
import { makeRig, type Rig, type TestPhone } from './exchange.rig.ts';

export interface Company {
  readonly rig: Rig;
  readonly phones: readonly [TestPhone, TestPhone, TestPhone];
  readonly exts: readonly [string, string, string];
  readonly ids: readonly [number, number, number];
  readonly network: TestPhone;
}

export function company(): Company {
  const rig = makeRig();
  const users = rig.customer.users;
  const phones = [rig.phone(0), rig.phone(1), rig.phone(2)] as const;
  for (const phone of phones) phone.register();
  const network = rig.network();
  rig.pass(0);
  const at = (index: number) => users[index] ?? { ext: '', user_id: 0 };
  return {
    rig,
    phones: [...phones],
    exts: [at(0).ext, at(1).ext, at(2).ext],
    ids: [at(0).user_id, at(1).user_id, at(2).user_id],
    network,
  };
}

/** A calls B, who answers at once. */
export function talking(): Company & { call: ReturnType<TestPhone['dial']>; callId: number } {
  const all = company();
  const call = all.phones[0].dial(all.exts[1]);
  all.rig.pass(0);
  all.phones[1].call.ring();
  all.phones[1].call.answer();
  all.rig.pass(1000);
  const callId = all.rig.exchange.liveCalls(all.rig.customer.customerId)[0]?.record.id ?? 0;
  return { ...all, call, callId };
}

export const stateOf = (rig: Rig, callId: number) => rig.exchange.liveCall(callId)?.record.state;
