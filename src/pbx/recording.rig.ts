// A small watched company whose calls are recorded: what tests of recordings start from.
import type { LiveCall } from '../contract/resources/calls.ts';
import type { Result } from '../kernel/errors.ts';
import type { CallChanges } from './face.ts';
import { watched } from './ring-group.rig.ts';

export function studio() {
  const all = watched();
  const { rig, phones, exts } = all;
  const recordings = () => [...rig.store.monitors.list(rig.customer.customerId)];
  /** The nth user calls there, and whoever is called answers after a second. */
  const talk = (to: string = exts[1], answers = phones[1]) => {
    const call = phones[0].dial(to);
    rig.pass(0);
    answers.call.ring();
    rig.pass(1000);
    answers.call.answer();
    rig.pass(0);
    return call;
  };
  const order = (changes: CallChanges, by: number = all.ids[0], id = all.live()[0]?.id ?? 0) => {
    const answers: Result<LiveCall>[] = [];
    rig.exchange.changeCall(id, by, changes, (answer) => answers.push(answer));
    rig.pass(0);
    const [answer] = answers;
    if (answer === undefined) throw new Error('the order was not answered');
    return answer.ok ? { state: answer.value.monitor_state } : answer.failure;
  };
  const end = (call: { hangUp(): void }) => {
    call.hangUp();
    rig.pass(0);
  };
  return { ...all, recordings, talk, order, end };
}
