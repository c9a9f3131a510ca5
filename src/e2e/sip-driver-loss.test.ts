// The `sip` driver over UDP that loses messages both ways: no call is lost by us.
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioPhone } from '../harness/drivers/phone-driver.ts';
import { type Losses, lossy, SipDriverStage } from './sip-driver-stage.ts';

const DEADLINE_MS = 40_000;
const DONE = { done: true };

let on: SipDriverStage;
let losses: Losses;

afterEach(async () => {
  await on.close();
  expect(on.stage.simulator.world.violations).toEqual([]);
});

async function withLoss(share: number): Promise<void> {
  losses = { lost: 0, passed: 0 };
  on = await SipDriverStage.open('UDP', { wire: lossy(share, losses), deadlineMs: DEADLINE_MS });
}

/** Calls, talks and hangs up; resolves with what the CDR says. */
async function callAndHangUp(phone: ScenarioPhone, to: string): Promise<string> {
  expect(await phone.act({ act: 'call', to })).toEqual(DONE);
  const { calls } = await on.inCall(phone, 'connected');
  expect(await phone.act({ act: 'hang_up' })).toEqual(DONE);
  await on.noCall(phone);
  return calls[0]?.sipCallId ?? '';
}

/** Disposition and cause of the CDRs of calls with these Call-IDs on their caller's side, once all are there. */
async function accountsOf(sipCallIds: readonly string[]): Promise<string[]> {
  const ids = new Set<number>();
  for (const sipCallId of sipCallIds) {
    const entry = await on.journalled('sip.in', (one) => JSON.stringify(one.data).includes(sipCallId));
    ids.add(entry.callId ?? 0);
  }
  expect(ids.size).toBe(sipCallIds.length);
  const accounts: string[] = [];
  for (const id of ids) {
    const { disposition, t_cause } = await on.callOver(id);
    accounts.push(`${disposition}: ${t_cause}`);
  }
  return accounts;
}

describe.each([
  { share: 0.1, each: 10 },
  { share: 0.3, each: 3 },
])('with $share of all messages lost', ({ share, each }) => {
  it(`loses none of ${4 * each} calls, placed by four phones at a time`, { timeout: 180_000 }, async () => {
    await withLoss(share);
    const callees = ['105', '106', '107', '105'];
    for (const ext of new Set(callees)) await on.stage.behave(ext, { on_call: 'answer', after_ms: 0 });
    const phones = await Promise.all([0, 1, 2, 3].map((index) => on.phone(index)));
    const placed = await Promise.all(
      phones.map(async (phone, index) => {
        const ids: string[] = [];
        for (let count = 0; count < each; count += 1) ids.push(await callAndHangUp(phone, callees[index] ?? ''));
        return ids;
      }),
    );
    expect(await accountsOf(placed.flat())).toEqual(Array(4 * each).fill('CONNECTED: Normal clearing'));
    expect(losses.lost / (losses.lost + losses.passed)).toBeGreaterThan(share / 2);
  });
});

describe('with 30 % loss', () => {
  it('registers, is called, holds, resumes, presses keys and is hung up on', { timeout: 180_000 }, async () => {
    await withLoss(0.3);
    const phone = await on.phone(0, { on_call: 'answer', after_ms: 100 });
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    await on.inCall(phone, 'connected');
    expect(await phone.act({ act: 'hold' })).toEqual(DONE);
    await on.inCall(phone, 'connected', true);
    expect(await phone.act({ act: 'resume' })).toEqual(DONE);
    await on.inCall(phone, 'connected', false);
    expect(await phone.act({ act: 'digits', digits: '12' })).toEqual(DONE);
    expect(on.stage.eventNames(Number(call_id)).filter((name) => name === 'call.dtmf')).toHaveLength(2);
    await on.stage.act('102', 'hangup');
    await on.noCall(phone);
    await on.callOver(Number(call_id));
    expect(on.stage.eventNames(Number(call_id)).filter((name) => name !== 'call.dtmf')).toEqual([
      'call.initial',
      'call.ringing',
      'call.connected',
      'call.hold',
      'call.unhold',
      'call.hangup',
    ]);
    expect(losses.lost).toBeGreaterThan(0);
  });

  it('refuses, cancels and transfers', { timeout: 180_000 }, async () => {
    await withLoss(0.3);
    await on.stage.behave('102', { on_call: 'answer', after_ms: 0 });
    await on.stage.behave('103', { on_call: 'answer', after_ms: 0 });
    await on.stage.behave('104', 'ring');
    const phone = await on.phone(0, { on_call: 'busy' });
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    expect(await on.callOver(Number(call_id))).toMatchObject({ t_cause: 'User busy' });

    const before = on.stage.now;
    await phone.act({ act: 'call', to: '104' });
    const cancelled = await on.callBegun(before);
    await phone.act({ act: 'hang_up' });
    await on.noCall(phone);
    expect(await on.callOver(cancelled)).toMatchObject({ t_cause: 'Originator cancel' });

    const later = on.stage.now;
    await phone.act({ act: 'call', to: '102' });
    const transferred = await on.callBegun(later);
    await on.inCall(phone, 'connected');
    expect(await phone.act({ act: 'transfer', to: '103' })).toEqual(DONE);
    await on.noCall(phone);
    expect(await on.stage.read(`/calls/${transferred}`)).toMatchObject({ src: '102', dst: '103' });
  });
});
