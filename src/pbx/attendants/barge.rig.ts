// A watched company in which the third user may barge into the calls of the first one, who talks to the second.
import { dataOf } from '../../kernel/journal.ts';
import { refusalOf } from '../ring-group.rig.ts';
import { attended } from './attendants.rig.ts';

/** The third user shares a user group with the first, and none with the second. */
export function supervised() {
  const all = attended();
  const { rig, ids, set } = all;
  rig.store.users.update(ids[0], { groups: [1, 2] });
  rig.store.users.update(ids[1], { groups: [3] });
  rig.store.users.update(ids[2], { groups: [2] });
  set(2, { call_barge_allowed: true });
  /** What supervisors did: the word, the watched call, beside whom, who hears them. */
  const supervision: string[] = [];
  rig.journal.subscribe((entry) => {
    if (!entry.kind.startsWith('supervision.')) return;
    const { call, beside, heard_by } = dataOf(entry);
    supervision.push(`${entry.kind.slice('supervision.'.length)} ${call} ${beside} ${heard_by}`);
  });
  /** Status and phrase with which a phone is refused; `confirmed` where it is not. */
  const refusal = (code: string, from = all.phones[2]): string => {
    const dialling = from.dial(code);
    rig.pass(0);
    return refusalOf(dialling);
  };
  return { ...all, supervision, refusal };
}

/** The first calls the second user, and they talk. */
export function talked() {
  const all = supervised();
  const { rig, phones, exts } = all;
  const call = phones[0].dial(exts[1]);
  rig.pass(0);
  const party = phones[1].call;
  party.answer();
  rig.pass(1000);
  const callId = all.live()[0]?.id ?? 0;
  return { ...all, call, party, callId };
}

/** The third user dials the code beside the first one. */
export function watching() {
  const all = talked();
  const { rig, phones, exts } = all;
  const supervisor = phones[2].dial(`*33${exts[0]}`);
  rig.pass(0);
  const before = [phones[0].wire.length, phones[1].wire.length] as const;
  /** What either party has had on its wire since. */
  const disturbed = () => [...phones[0].wire.slice(before[0]), ...phones[1].wire.slice(before[1])];
  return { ...all, supervisor, disturbed };
}
