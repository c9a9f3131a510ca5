// Somebody who talks to one party and consults another: what tests of attended transfers start from.
import { talking } from './company.rig.ts';
import type { Rig, TestCall, TestPhone } from './exchange.rig.ts';
import type { watched } from './ring-group.rig.ts';

/** The dialog as Replaces names it (RFC 3891, 6.1). */
export function replacesOf({ session }: TestCall, more = ''): string {
  return `${session.callId};to-tag=${session.remoteTag};from-tag=${session.localTag}${more}`;
}

/** Refer-To as a phone writes it that wants the other party of its call `consulted`. */
export function referTo(call: TestCall, more = ''): readonly [string, string] {
  return ['Refer-To', `<sip:whoever@pbx.example?Replaces=${encodeURIComponent(replacesOf(call, more))}>`];
}

export const liveIds = (rig: Rig) => rig.exchange.liveCalls(rig.customer.customerId).map(({ record }) => record.id);
export const record = (rig: Rig, callId: number) => rig.exchange.liveCall(callId)?.record;
export const eventsOf = (rig: Rig, callId: number) =>
  rig.events.flatMap((event) => (event.kind === 'call' && event.callId === callId ? [event.name] : []));
export const cdrOf = (rig: Rig, callId: number) => rig.store.cdrs.find('live_id', callId);

/** A called B, who held A and called C: B consults. */
export function consulting(answered = true, codecs?: readonly string[]) {
  const all = talking();
  const { rig, phones, exts, callId } = all;
  const held = phones[1].call;
  held.reoffer('sendonly');
  rig.pass(0);
  const target: TestPhone = codecs === undefined ? phones[2] : rig.phone(2, { codecs });
  if (codecs !== undefined) target.register();
  rig.pass(0);
  const consulted = phones[1].dial(exts[2]);
  rig.pass(0);
  target.call.ring();
  rig.pass(0);
  if (answered) target.call.answer();
  rig.pass(1000);
  const consultation = liveIds(rig).find((id) => id !== callId) ?? 0;
  return { ...all, held, consulted, target, consultation };
}

/** A called B, who holds A now and calls `number`: what comes of that call is left to the test. */
export function holdingAndCalling({ rig, phones, exts }: Company, number: string) {
  const call = phones[0].dial(exts[1]);
  rig.pass(0);
  const held = phones[1].call;
  held.answer();
  rig.pass(1000);
  held.reoffer('sendonly');
  const consulted = phones[1].dial(number);
  return { call, held, consulted };
}

type Company = Pick<ReturnType<typeof watched>, 'rig' | 'phones' | 'exts'>;
