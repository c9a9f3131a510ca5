// Whatever callers press and whenever they leave, the exchange keeps its promises where it answers itself, and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeRecord, removeRecord } from '../../store/records/record-book.ts';
import type { TestCall } from '../exchange.rig.ts';
import { attended } from './attendants.rig.ts';
import { LETTERS, makeIvr } from './ivr.rig.ts';

type Act =
  | { readonly do: 'dial'; readonly who: number; readonly to: number }
  | { readonly do: 'press'; readonly who: number; readonly keys: string }
  | { readonly do: 'hangup' | 'hold' | 'resume' | 'answer' | 'cut' | 'park'; readonly who: number }
  | { readonly do: 'message'; readonly how: 'save' | 'delete' }
  | { readonly do: 'wait'; readonly ms: number };

const who = fc.nat(3);
const keys = fc.string({ unit: fc.constantFrom(...'0123456789*#'), minLength: 1, maxLength: 5 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('dial' as const), who, to: fc.nat(9) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('press' as const), who, keys }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('hangup', 'hold', 'resume', 'answer', 'cut', 'park'), who }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('message' as const), how: fc.constantFrom('save', 'delete') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 100, 1500, 6000, 20_000, 200_000),
    }),
  },
);

/** Everybody's voicemail takes what they do not, and two menus lead everywhere: to each other, to boxes, to extensions, by chance. */
function house() {
  const all = attended();
  const { rig, ids, exts } = all;
  for (const index of [0, 1, 2] as const) all.set(index, { ring_time: '8', vm_pin: index === 0 ? '' : '0000' });
  all.set(1, { final_dst_type: 'V', final_dst_id: ids[1] });
  all.set(2, { dnd: true, final_dst_type: 'V', final_dst_id: ids[2] });
  const chance = makeIvr(all, { number: 851, random_choice: true, sounds: '', ring_time: 3 });
  const menu = makeIvr(all, {
    ...{ one: `U:${ids[1]}`, two: `V:${ids[2]}`, three: `I:${chance.id}`, star: 'H', ext_dialing: true },
    ...{ post_sounds: 'goodbye', final_dst_type: LETTERS.I, final_dst_id: chance.id },
  });
  const random_dst = [`I:${menu.id}`, `I:${chance.id}`, `U:${ids[0]}`, `V:${ids[1]}`, 'H'].join(',');
  rig.store.ivrs.update(chance.id, { random_dst, final_dst_type: LETTERS.I, final_dst_id: menu.id });
  const [ddi] = [...rig.store.ddis.list(rig.customer.customerId)];
  rig.store.ddis.update(ddi?.id ?? '', { target_type: LETTERS.I, target_id: menu.id });
  return { ...all, numbers: ['850', '851', '*97', '*43', exts[1], exts[2], exts[0], ddi?.e164 ?? '', '*687', '*697'] };
}

type House = ReturnType<typeof house>;

function perform(all: House, what: Act): void {
  const { rig, phones, network, numbers, messages } = all;
  const everybody = [...phones, network];
  if (what.do === 'wait') return rig.pass(what.ms);
  if (what.do === 'message') {
    const [first] = messages();
    const ground = { store: rig.store, customerId: rig.customer.customerId, nowMs: rig.clock.now() };
    if (first === undefined) return;
    if (what.how === 'delete') removeRecord(ground, 'voicemessages', first.id);
    else changeRecord(ground, 'voicemessages', first.id, { folder: 2 });
    return rig.pass(0);
  }
  const phone = everybody[what.who];
  if (phone === undefined) return;
  if (what.do === 'dial') {
    phone.dial((what.who === 3 ? numbers[7] : numbers[what.to]) ?? '');
    return rig.pass(0);
  }
  const open = phone.calls.filter(({ session }) => session.state !== 'terminated');
  const call = open.at(-1);
  if (call === undefined) return;
  if (what.do === 'press') return all.press(call, call.session.state === 'confirmed' ? what.keys : '');
  actOn(all, call, what.do);
  rig.pass(0);
}

function actOn(
  { rig, live }: House,
  call: TestCall,
  what: 'hangup' | 'hold' | 'resume' | 'answer' | 'cut' | 'park',
): void {
  if (what === 'cut') {
    const [first] = live();
    if (first !== undefined) rig.exchange.hangUp(first.id);
  } else if (what === 'hangup') call.hangUp();
  else if (what === 'park') {
    if (call.session.state === 'confirmed') call.send('REFER', [['Refer-To', '<sip:*687@x.example>']]);
  } else if (call.session.state === 'confirmed' && what !== 'answer')
    call.reoffer(what === 'hold' ? 'sendonly' : 'sendrecv');
  else if (call.session.role === 'uas' && call.session.state !== 'confirmed') call.answer();
}

describe('callers whom the exchange answers', () => {
  it('may press what they like and leave when they like: nothing is left, and every message is counted', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 60, size: 'max' }), (acts) => {
        const all = house();
        for (const one of acts) perform(all, one);
        all.rig.exchange.hangUpAll();
        all.over();
        for (const index of [0, 1, 2] as const) {
          const own = all.messages().filter(({ extension_id }) => extension_id === all.ids[index]);
          const fresh = own.filter(({ is_new }) => is_new).length;
          expect(all.counts(index)).toEqual([fresh, own.length - fresh]);
        }
        for (const { live_id, duration } of all.messages()) {
          const [visit] = all.rig.store.cdrs.find('live_id', live_id);
          expect(visit).toMatchObject({ disposition: 'VM', context: 'VOICEMAIL' });
          expect(visit?.billsec).toBeGreaterThanOrEqual(duration);
        }
      }),
      { numRuns: 60 },
    );
  });
});
