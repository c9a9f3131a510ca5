// Acts as people write them, and a storm of them: whatever is asked of phones and whenever, nothing throws and nothing is left.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACTS, type Act, parseAct } from './acts.ts';
import { AFTER_TALK, type Behaviour, ON_CALL } from './behaviour.ts';
import { Fleet } from './fleet.ts';
import { DOMAIN, PhoneStage, phone, sdp } from './phone.rig.ts';

const details = (input: unknown): readonly string[] => {
  const result = parseAct(input);
  return result.ok ? [] : result.failure.details;
};

test('an act is read, and every wrong member is named', () => {
  expect(parseAct({ act: 'call', to: '+442079460999' })).toEqual({
    ok: true,
    value: { act: 'call', to: '+442079460999' },
  });
  expect(details({ act: 'dance', to: 7, digits: '', speed: 1 })).toEqual([
    'speed: unknown, expected one of act, to, digits, offer, by, expires_s',
    'act: expected one of call, answer, reject, hold, resume, transfer, join, digits, hangup, register, unregister',
    'to: expected a number or an extension: digits, * and #, with or without +',
    'digits: expected 1 to 64 of the keys 0-9, *, #, A-D',
  ]);
  expect(details({ act: 'hold', by: 'INFO', offer: 'soon', expires_s: 0 })).toEqual([
    'offer: expected late',
    'by: expected UPDATE',
    'expires_s: expected whole seconds from 1 to 86400',
  ]);
  expect(details({ act: 'transfer' })).toEqual(['to: missing, transfer needs it']);
  expect(details({ act: 'digits' })).toEqual(['digits: missing, digits needs them']);
  expect(details('call')).toEqual(['body: expected an object with act']);
});

const behaviours: fc.Arbitrary<Behaviour> = fc.record({
  on_call: fc.constantFrom(...ON_CALL),
  after_ms: fc.nat(3000),
  to: fc.constantFrom('102', '+442079460999'),
  talk_ms: fc.nat(3000),
  then: fc.constantFrom(...AFTER_TALK),
  digits: fc.constantFrom('1', '12#'),
});

type Step =
  | { readonly do: 'act'; readonly act: Act }
  | { readonly do: 'behave'; readonly behaviour: Behaviour }
  | { readonly do: 'call'; readonly body: string }
  | { readonly do: 'far'; readonly what: 'hold' | 'talk' | 'reinvite' | 'end' | 'refer' | 'accept' | 'reject' }
  | { readonly do: 'pass'; readonly ms: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('act' as const),
    act: fc.record({ act: fc.constantFrom(...ACTS), to: fc.constant('102'), digits: fc.constant('12') }),
  }),
  fc.record({ do: fc.constant('behave' as const), behaviour: behaviours }),
  fc.record({
    do: fc.constant('call' as const),
    body: fc.constantFrom(sdp(), sdp('sendonly'), '', sdp('sendrecv', '18')),
  }),
  fc.record({
    do: fc.constant('far' as const),
    what: fc.constantFrom('hold', 'talk', 'reinvite', 'end', 'refer', 'accept', 'reject'),
  }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(4000) }),
);

function run(stage: PhoneStage, fleet: Fleet, step: Step): void {
  if (step.do === 'act') fleet.act(1, '101', step.act);
  else if (step.do === 'behave') fleet.setBehaviour(1, '101', step.behaviour);
  else if (step.do === 'call') {
    const session = stage.call(0, step.body);
    session.events = { ...stage.events, onAnswered: (answered) => step.body === '' && answered.ack(sdp()) };
    stage.invited.push(session);
  } else if (step.do === 'pass') stage.pass(step.ms);
  else {
    const session = stage.invited.at(-1);
    if (step.what === 'reinvite') session?.reinvite(sdp('inactive'), () => {});
    else if (step.what === 'end') session?.end();
    else if (step.what === 'accept' && session?.role === 'uas') session.accept(sdp());
    else if (step.what === 'reject' && session?.role === 'uas') session.reject(486);
    else session?.request('NOTIFY', { headers: [['Event', step.what]], body: 'SIP/2.0 200 OK\r\n' });
  }
  stage.clock.settle();
}

test('a storm of acts, behaviours and messages ends with nothing left', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (storm) => {
      const stage = new PhoneStage();
      const fleet = new Fleet({ clock: stage.clock, random: stage.random, domain: DOMAIN, connect: stage.connect });
      fleet.add(phone('101'));
      stage.clock.settle();
      for (const step of storm) {
        run(stage, fleet, step);
        expect(fleet.view(1, '101')?.calls.length).toBeLessThanOrEqual(4);
      }
      fleet.remove(1, '101');
      for (const session of stage.invited) session.end();
      stage.clock.settle();
      expect(stage.clock.pending().filter(({ name }) => name.startsWith('phone'))).toEqual([]);
      stage.pass(200_000);
      expect(stage.far.stats).toEqual({ clientTransactions: 0, serverTransactions: 0, sessions: 0, subscriptions: 0 });
      expect(stage.clock.pending()).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
