// A small company whose second user is followed to two numbers of the public network: what tests of follow-me start from.
import { dataOf } from '../kernel/journal.ts';
import type { TestCall } from './exchange.rig.ts';
import { watched } from './ring-group.rig.ts';

export const MOBILE = '+442079460123';
export const HOME = '+442079460124';

/** The first user calls the second one, who is followed: 5 s at the own phone, 10 s at each number. */
export function followed(settings: Parameters<ReturnType<typeof watched>['set']>[1] = {}) {
  const all = watched();
  const { rig, phones, exts, set, network } = all;
  const fm = { fm: true, fm_init_ring_time: 5, fm_ring_time: '10', fm_targets: [MOBILE, HOME] };
  set(1, { ...fm, ...settings });
  const sounds: string[] = [];
  rig.journal.subscribe((entry) => {
    if (entry.kind === 'sound.played') sounds.push(`${String(dataOf(entry).name)} to ${String(dataOf(entry).to)}`);
  });
  /** The call to that number, as the network has it. */
  const at = (number: string): TestCall => {
    const found = network.calls.findLast(({ session }) => session.invite.uri.startsWith(`sip:${number}@`));
    if (found === undefined) throw new Error(`${number} was not called`);
    return found;
  };
  const isRinging = (number: string): boolean =>
    network.calls.some(
      ({ session }) => session.invite.uri.startsWith(`sip:${number}@`) && session.state !== 'terminated',
    );
  const press = (call: TestCall, key: string): void => {
    call.send('INFO', [], `Signal=${key}\r\nDuration=160\r\n`, 'application/dtmf-relay');
    rig.pass(0);
  };
  const call = () => {
    const made = phones[0].dial(exts[1]);
    rig.pass(0);
    return made;
  };
  return { ...all, at, isRinging, press, call, sounds };
}
