// Whoever parks, fetches, holds and leaves, and whenever: every promise of the exchange is kept, and nobody is left behind.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attended } from './attendants.rig.ts';

const DOES = ['talk', 'call', 'answer', 'park', 'fetch', 'hold', 'resume', 'hang up', 'cut'] as const;
type Act = { readonly do: (typeof DOES)[number]; readonly who: number; readonly ms: number };

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('talk' as const, 'park' as const, 'fetch' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...DOES) },
  ),
  who: fc.nat(2),
  ms: fc.constantFrom(0, 0, 0, 500, 119_000, 125_000),
});

function perform({ rig, phones, exts, live }: ReturnType<typeof attended>, { do: what, who, ms }: Act): void {
  const phone = phones[who];
  const open = phone?.calls.filter(({ session }) => session.state !== 'terminated') ?? [];
  const call = open.at(-1);
  if (phone === undefined) return;
  if (what === 'call') phone.dial(exts[(who + 1) % 3] ?? '');
  else if (what === 'talk') {
    phone.dial(exts[(who + 1) % 3] ?? '');
    rig.pass(0);
    const ringing = phones[(who + 1) % 3]?.calls.at(-1);
    if (ringing?.session.role === 'uas' && ringing.session.state === 'calling') ringing.answer();
  } else if (what === 'fetch') phone.dial('*697');
  else if (what === 'cut') rig.exchange.hangUp(live()[0]?.id ?? 0);
  else if (what === 'answer') {
    for (const one of open) if (one.session.role === 'uas' && one.session.state !== 'confirmed') one.answer();
  } else if (what === 'hang up') call?.hangUp();
  else if (call?.session.state === 'confirmed') {
    if (what === 'park') call.send('REFER', [['Refer-To', '<sip:*687@x.example>']]);
    else call.reoffer(what === 'hold' ? 'sendonly' : 'sendrecv');
  }
  rig.pass(ms);
}

it('parking keeps every promise', () => {
  const seen = { parked: 0, retrieved: 0 };
  fc.assert(
    fc.property(fc.array(act, { minLength: 4, maxLength: 40, size: 'max' }), (acts) => {
      const all = attended();
      for (const one of acts) perform(all, one);
      all.rig.exchange.hangUpAll();
      all.over();
      seen.parked += all.rig.journal.query({ kind: 'call.parked' }).length;
      seen.retrieved += all.rig.journal.query({ kind: 'call.retrieved' }).length;
      const ends = all.rig.journal.query({ kind: 'call.closed' }).length;
      expect(all.cdrs()).toHaveLength(ends);
    }),
    { numRuns: 60 },
  );
  // The chance has really led there.
  expect(seen.parked).toBeGreaterThan(20);
  expect(seen.retrieved).toBeGreaterThan(5);
});
