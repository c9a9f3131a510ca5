// Event names, categories and payloads. Knows no delivery.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { CallEventSchema, DtmfEventSchema, publishedEventNames, SmsEventSchema, wantsEvent } from './events.ts';

const ajv = new Ajv2020({ strict: true });
const isCallEvent = ajv.compile(CallEventSchema);
const isSmsEvent = ajv.compile(SmsEventSchema);
const isDtmfEvent = ajv.compile(DtmfEventSchema);

const ringing = {
  id: 'e1',
  event_time: '2026-01-01 00:00:05',
  event_name: 'call.ringing',
  call_id: 10000001,
  state: 'RINGING',
  connected_at: null,
  start_time: '2026-01-01 00:00:00',
  context: 'LOCAL_USER',
  destination: 'in',
  duration: 5,
  t_cause: '',
  clid: 'Ada <+15550100>',
  src: '+15550100',
  src_id: 0,
  src_name: 'Ada',
  src_hash: 'abc',
  dst: '102',
  dst_id: 10000002,
  dst_name: 'Grace',
  info: '',
  terminated_by: '',
};

describe('call events', () => {
  it('carry the 21 published attributes', () => {
    expect(Object.keys(CallEventSchema.properties)).toHaveLength(21);
    expect(isCallEvent(ringing)).toBe(true);
    expect(isCallEvent({ ...ringing, connected_at: '2026-01-01 00:00:07' })).toBe(true);
  });

  it('are refused with another type, word or form of time', () => {
    expect(isCallEvent({ ...ringing, call_id: '10000001' })).toBe(false);
    expect(isCallEvent({ ...ringing, state: 3 })).toBe(false);
    expect(isCallEvent({ ...ringing, event_time: '2026-01-01T00:00:05Z' })).toBe(false);
    expect(isCallEvent({ ...ringing, context: 'USER_LOCAL' })).toBe(false);
    expect(isCallEvent({ ...ringing, destination: 'webcall' })).toBe(false);
  });

  it('become a DTMF event with a digit', () => {
    const pressed = { ...ringing, event_name: 'call.dtmf', digit: '#', pressed_by: 'caller' };
    expect(isDtmfEvent(pressed)).toBe(true);
    expect(isDtmfEvent({ ...pressed, digit: '12' })).toBe(false);
    expect(isCallEvent(pressed)).toBe(false);
  });
});

describe('SMS events', () => {
  it('may have no user', () => {
    const received = {
      id: 'e2',
      event_time: '2026-01-01 00:00:00',
      event_name: 'sms.received',
      customer_id: 1,
      user_id: null,
      from_no: '+15550100',
      to_no: '+442079460001',
      text: 'hello',
    };
    expect(isSmsEvent(received)).toBe(true);
    expect(isSmsEvent({ ...received, user_id: 10000001 })).toBe(true);
    expect(isSmsEvent({ ...received, from: '+15550100', from_no: undefined })).toBe(false);
  });
});

describe('categories', () => {
  it('bring what they say, and queues only with call state change', () => {
    expect(wantsEvent(['missed'], 'call.missed', 'LOCAL_USER')).toBe(true);
    expect(wantsEvent(['missed'], 'call.missed', 'QUEUE')).toBe(false);
    expect(wantsEvent(['call_state_change'], 'call.missed', 'QUEUE')).toBe(true);
    expect(wantsEvent(['ended'], 'call.hangup', 'LOCAL_USER')).toBe(true);
    expect(wantsEvent(['ended'], 'call.failed', 'LOCAL_USER')).toBe(true);
    expect(wantsEvent(['connected'], 'call.ringing', 'LOCAL_USER')).toBe(false);
    expect(wantsEvent(['call_state_change'], 'sms.received', '')).toBe(false);
    expect(wantsEvent(['ringing', 'sms_received'], 'sms.received', '')).toBe(true);
    expect(wantsEvent([], 'call.missed', 'LOCAL_USER')).toBe(false);
  });

  it('bring every call event with call state change', () => {
    const call = publishedEventNames.filter((name) => name !== 'sms.received');
    expect(call).toHaveLength(8);
    for (const name of call) expect(wantsEvent(['call_state_change'], name, 'QUEUE')).toBe(true);
  });
});
