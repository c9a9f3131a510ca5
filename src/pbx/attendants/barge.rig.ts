// A watched company in which the third user may barge into the calls of the first one, who talks to the second.
import { dataOf } from '../../kernel/journal.ts';
import { attended } from './attendants.rig.ts';

/** The users' groups: the third shares one with the first, and none with the second. */
export function supervised() {
  const all = attended();
  const { rig, set } = all;
  rig.store.users.update(all.ids[0], { groups: [1, 2] });
  rig.store.users.update(all.ids[1], { groups: [3] });
  rig.store.users.update(all.ids[2], { groups: [2] });
  set(2, { call_barge_allowed: true });
  /** What supervisors did: the word, the watched call, beside whom, who hears them. */
  const supervision: string[] = [];
  rig.journal.subscribe((entry) => {
    if (!entry.kind.startsWith('supervision.')) return;
    const { call, beside, heard_by } = dataOf(entry);
    supervision.push(`${entry.kind.slice(12)} ${call} ${beside} ${heard_by}`);
  });
  return { ...all, supervision };
}

/** The first calls the second user, and they talk; the third dials the code. */
export function watching(code?: string) {
  const all = supervised();
  const { rig, phones, exts } = all;
  const call = phones[0].dial(exts[1]);
  rig.pass(0);
  const party = phones[1].call;
  party.answer();
  rig.pass(1000);
  const callId = all.live()[0]?.id ?? 0;
  const supervisor = phones[2].dial(code ?? `*33${exts[0]}`);
  rig.pass(0);
  /** What either party has had on its wire since. */
  const before = [phones[0].wire.length, phones[1].wire.length] as const;
  const disturbed = () => [...phones[0].wire.slice(before[0]), ...phones[1].wire.slice(before[1])];
  return { ...all, call, party, callId, supervisor, disturbed };
}
