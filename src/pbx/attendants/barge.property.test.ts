// Supervisors come and go while people talk, hold, transfer and move their calls: every promise is kept, and nobody but the
// supervisors has noticed anything: the same day without them is the same to the last message.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestCall, TestPhone } from '../exchange.rig.ts';
import { makeGroup } from '../ring-group.rig.ts';
import { attended } from './attendants.rig.ts';
import { makeConference } from './conference.rig.ts';

const TALK = ['talk', 'call', 'answer', 'hang up', 'hold', 'resume', 'transfer', 'consult', 'move', 'cut'] as const;
const SUPERVISE = ['barge', 'key', 'leave', 'pause', 'go on'] as const;

type Act = {
  readonly do: (typeof TALK)[number] | (typeof SUPERVISE)[number];
  readonly who: number;
  readonly to: number;
  readonly ms: number;
};

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('talk' as const, 'barge' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...TALK) },
    { weight: 2, arbitrary: fc.constantFrom('barge' as const, 'key' as const, 'key' as const, ...SUPERVISE) },
  ),
  who: fc.nat(3),
  to: fc.nat(5),
  ms: fc.constantFrom(0, 0, 0, 300, 5000, 40_000),
});

/** Three who talk, people outside, and two who listen. */
function office() {
  const all = attended();
  const { rig, ids, exts, phones, network } = all;
  const supervisors = [3, 4].map((index) => rig.phone(index));
  for (const phone of supervisors) phone.register();
  for (const { user_id } of rig.customer.users.slice(0, 5))
    rig.store.users.update(user_id, { groups: [1], call_barge_allowed: true });
  for (const index of [0, 1, 2] as const) all.set(index, { monitor: 'A', ring_time: '8' });
  makeConference(rig);
  makeGroup({ rig }, { users: [ids[0], ids[2]] });
  rig.pass(0);
  return { ...all, talkers: [...phones, network], supervisors, numbers: [...exts, '+442079460123', '790', '990'] };
}

type Office = ReturnType<typeof office>;

const openAt = (phone: TestPhone): TestCall[] => phone.calls.filter(({ session }) => session.state !== 'terminated');

function supervise({ supervisors, exts }: Office, { do: what, who, to }: Act): void {
  const phone = supervisors[who % 2];
  if (phone === undefined) return;
  if (what === 'barge') return void phone.dial(`*33${exts[to % 3]}`);
  const call = openAt(phone).at(-1);
  if (call?.session.state !== 'confirmed') return;
  if (what === 'leave') call.hangUp();
  else if (what === 'key')
    call.send('INFO', [], `Signal=${4 + (to % 3)}\r\nDuration=160\r\n`, 'application/dtmf-relay');
  else call.reoffer(what === 'pause' ? 'sendonly' : 'sendrecv');
}

function talk(all: Office, { do: what, who, to }: Act): void {
  const { rig, talkers, numbers, live } = all;
  const phone = talkers[who];
  if (phone === undefined) return;
  const number = who === 3 ? (rig.customer.numbers[to % 3] ?? '') : (numbers[to] ?? '');
  const open = openAt(phone);
  const call = open.at(-1);
  if (what === 'call' || what === 'talk') {
    phone.dial(number);
    rig.pass(0);
    if (what === 'talk') for (const other of talkers) answer(other);
  } else if (what === 'answer') answer(phone);
  else if (what === 'cut') rig.exchange.hangUp(live().find(({ dst }) => !dst.startsWith('*33'))?.id ?? 0);
  else if (what === 'hang up') call?.hangUp();
  else if (call?.session.state !== 'confirmed') return;
  else if (what === 'transfer') call.send('REFER', [['Refer-To', `<sip:${number}@x.example>`]]);
  else if (what === 'consult' && open[0] !== undefined && open[0] !== call)
    open[0].send('REFER', [['Refer-To', `<sip:x@x.example?Replaces=${encodeURIComponent(dialogOf(call))}>`]]);
  else if (what === 'move') phone.dial('x', { headers: [['Replaces', dialogOf(call)]] });
  else if (what !== 'consult') call.reoffer(what === 'hold' ? 'sendonly' : 'sendrecv');
}

function answer(phone: TestPhone): void {
  for (const one of openAt(phone))
    if (one.session.role === 'uas' && ['calling', 'early'].includes(one.session.state)) one.answer();
}

const dialogOf = ({ session }: TestCall): string =>
  `${session.callId};to-tag=${session.remoteTag || 'none'};from-tag=${session.localTag}`;

const isSupervision = (number: string): boolean => number.startsWith('*33');

/** A day, with its supervisors or without, and what everybody else has seen of it. */
function day(acts: readonly Act[], supervised: boolean) {
  const all = office();
  const before = new Set([...all.rig.store.monitors.list(all.rig.customer.customerId)].map(({ id }) => id));
  const isTalk = (what: string): boolean => TALK.some((one) => one === what);
  for (const one of acts) {
    if (isTalk(one.do)) talk(all, one);
    else if (supervised) supervise(all, one);
    all.rig.pass(one.ms);
  }
  all.rig.exchange.hangUpAll();
  all.over();
  expect(all.supervisors.flatMap(openAt)).toEqual([]);
  const { rig, talkers, cdrs } = all;
  return {
    rig,
    seen: {
      wire: talkers.map(({ wire }) => wire),
      events: rig.events.flatMap((event) =>
        event.kind === 'call' && !isSupervision(event.dst.number)
          ? [`${event.at} ${event.name} ${event.src.number} ${event.dst.number} ${event.cause} ${event.terminatedBy}`]
          : [],
      ),
      records: cdrs()
        .filter(({ dst }) => !isSupervision(dst))
        .map(({ src, dst, duration, billsec, disposition, t_cause }) => [
          src,
          dst,
          duration,
          billsec,
          disposition,
          t_cause,
        ]),
      recordings: [...rig.store.monitors.list(rig.customer.customerId)]
        .filter(({ id }) => !before.has(id))
        .map(({ caller, called, duration }) => [caller, called, duration]),
    },
  };
}

it('supervisors keep every promise, and nobody else notices that they were there', () => {
  const happened = { began: 0, changed: 0, ended: 0 };
  fc.assert(
    fc.property(fc.array(act, { minLength: 4, maxLength: 40, size: 'max' }), (acts) => {
      const { rig, seen } = day(acts, true);
      expect(seen).toEqual(day(acts, false).seen);
      for (const what of ['began', 'changed', 'ended'] as const)
        happened[what] += rig.journal.query({ kind: `supervision.${what}` }).length;
    }),
    { numRuns: 60 },
  );
  // The chance has really led there.
  expect(happened.began).toBeGreaterThan(60);
  expect(happened.changed).toBeGreaterThan(10);
  expect(happened.ended).toBe(happened.began);
}, 60_000);
