// A phone's registration as stories, against a registrar that is played by hand.
import { beforeEach, describe, expect, test } from 'vitest';
import { Desk, type PhoneStage, phone } from './phone.rig.ts';

let desk: Desk;
let stage: PhoneStage;

beforeEach(() => {
  desk = new Desk();
  stage = desk.stage;
});

describe('registration', () => {
  test('a new phone registers with digest and does so again in time, in the background', () => {
    expect(desk.fleet.add(phone('101'))).toMatchObject({ ok: true, value: { ext: '101', registered: false } });
    expect(stage.take()).toEqual(['0 phone REGISTER', '0 far 401 REGISTER', '0 phone REGISTER', '0 far 200 REGISTER']);
    expect(desk.view).toEqual({
      ext: '101',
      customer_id: 1,
      user_id: 101,
      registered: true,
      stepped_back: false,
      behaviour: { on_call: 'answer', after_ms: 2000 },
      calls: [],
    });
    expect(stage.clock.hasForeground).toBe(false);
    stage.pass(2_879_999);
    expect(stage.take()).toEqual([]);
    stage.pass(1);
    expect(stage.take()).toHaveLength(4);
    expect(desk.view.registered).toBe(true);
  });

  test('the address is the account, the Contact the phone, the Call-ID always the same', () => {
    desk.put();
    const first = stage.last('REGISTER').headers;
    expect(first.get('To')).toBe('<sip:1-101@pbx.example>');
    expect(first.get('Contact')).toBe('<sip:1-101@127.0.0.1:5060>');
    expect(first.get('Expires')).toBe('3600');
    stage.pass(2_880_000);
    const second = stage.last('REGISTER').headers;
    expect(second.get('Call-ID')).toBe(first.get('Call-ID'));
    expect(Number.parseInt(second.get('CSeq') ?? '', 10)).toBeGreaterThan(Number.parseInt(first.get('CSeq') ?? '', 10));
  });

  test('a refused phone tries again after a minute, and cannot call', () => {
    desk.fleet.add(phone('101', { sipUsername: 'stranger' }));
    expect(stage.take().at(-1)).toBe('0 far 401 REGISTER');
    expect(desk.act({ act: 'call', to: '102' })).toBe('conflict: The phone at 101 is not registered.');
    stage.pass(60_000);
    expect(stage.take()[0]).toBe('60000 phone REGISTER');
  });

  test('it steps back for an external phone, refuses to act, and comes back', () => {
    desk.put();
    desk.fleet.stepBack(1, '101');
    stage.take();
    expect(stage.last('REGISTER').headers.get('Expires')).toBe('0');
    expect(desk.view).toMatchObject({ registered: false, stepped_back: true });
    const taken = 'conflict: An external phone has taken extension 101; the simulated one has stepped back.';
    expect(desk.act({ act: 'call', to: '102' })).toBe(taken);
    expect(desk.act({ act: 'register' })).toBe(taken);
    stage.pass(86_400_000);
    expect(stage.take()).toEqual([]);
    desk.fleet.comeBack(1, '101');
    stage.take();
    expect(desk.view).toMatchObject({ registered: true, stepped_back: false });
  });

  test('it asks for the time that its user wants', () => {
    desk.put();
    expect(desk.act({ act: 'register', expires_s: 100 })).toBe('done');
    expect(stage.last('REGISTER').headers.get('Expires')).toBe('100');
    stage.take();
    stage.pass(79_999);
    expect(stage.take()).toEqual([]);
    stage.pass(1);
    expect(stage.last('REGISTER').headers.get('Expires')).toBe('100');
  });

  test('its user can unregister and register it', () => {
    desk.put();
    expect(desk.act({ act: 'unregister' })).toBe('done');
    expect(desk.view.registered).toBe(false);
    expect(desk.act({ act: 'unregister' })).toBe('conflict: The phone at 101 is not registered.');
    expect(desk.act({ act: 'register' })).toBe('done');
    expect(desk.view.registered).toBe(true);
  });
});
