// What a receiver reads: the payloads of the specification's Events part, to the letter.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { CallEventSchema, DtmfEventSchema, SmsEventSchema, TestEventSchema } from '../contract/events.ts';
import type { CallEvent } from '../pbx/events.ts';
import { payloadOf, testPayload } from './payload.ts';

const ajv = new Ajv2020({ strict: false });
const noon = Date.UTC(2026, 0, 1, 12, 0, 0);

const answered: CallEvent = {
  kind: 'call',
  id: '5f0c',
  name: 'call.connected',
  seq: 12,
  at: noon + 4999,
  customerId: 1,
  callId: 10000007,
  state: 'CONNECTED',
  startedAt: noon,
  connectedAt: noon + 4999,
  context: 'LOCAL_USER',
  direction: 'in',
  durationS: 4,
  cause: '',
  clid: 'Ada <+442079460123>',
  src: { number: '+442079460123', name: 'Ada', id: null },
  dst: { number: '101', name: 'Grace Hopper', id: 10000001 },
  srcHash: 'abc123',
  info: '',
  terminatedBy: null,
};

describe('a call event', () => {
  it('carries every published attribute, times in UTC', () => {
    expect(payloadOf(answered)).toEqual({
      id: '5f0c',
      event_time: '2026-01-01 12:00:04',
      event_name: 'call.connected',
      call_id: 10000007,
      state: 'CONNECTED',
      connected_at: '2026-01-01 12:00:04',
      start_time: '2026-01-01 12:00:00',
      context: 'LOCAL_USER',
      destination: 'in',
      duration: 4,
      t_cause: '',
      clid: 'Ada <+442079460123>',
      src: '+442079460123',
      src_id: 0,
      src_name: 'Ada',
      src_hash: 'abc123',
      dst: '101',
      dst_id: 10000001,
      dst_name: 'Grace Hopper',
      info: '',
      terminated_by: '',
    });
  });

  it('has no connection time before the answer, and says who hung up at the end', () => {
    const ringing = payloadOf({ ...answered, name: 'call.ringing', state: 'RINGING', connectedAt: null });
    expect(ringing).toMatchObject({ connected_at: null, event_name: 'call.ringing', state: 'RINGING' });
    const over = payloadOf({
      ...answered,
      name: 'call.hangup',
      state: 'HANGUP',
      terminatedBy: 'callee',
      cause: 'normal clearing',
    });
    expect(over).toMatchObject({ terminated_by: 'callee', t_cause: 'normal clearing' });
  });
});

it('a text message carries its customer, its user and both numbers', () => {
  const sms = {
    kind: 'sms',
    id: 'e1',
    seq: 3,
    at: noon,
    customerId: 1,
    userId: null,
    from: '+15550100',
    to: '+442079460001',
    text: 'Grüße',
  } as const;
  expect(payloadOf(sms)).toEqual({
    id: 'e1',
    event_time: '2026-01-01 12:00:00',
    event_name: 'sms.received',
    customer_id: 1,
    user_id: null,
    from_no: '+15550100',
    to_no: '+442079460001',
    text: 'Grüße',
  });
});

it('a key press is a call event with the key and who pressed it', () => {
  const { name: _, ...facts } = answered;
  expect(payloadOf({ ...facts, kind: 'dtmf', digit: '#', by: 'caller' })).toMatchObject({
    event_name: 'call.dtmf',
    digit: '#',
    pressed_by: 'caller',
    call_id: 10000007,
    state: 'CONNECTED',
  });
});

it('every payload has the shape that the contract publishes', () => {
  const { name: _, ...facts } = answered;
  const sms = {
    kind: 'sms',
    id: 'e1',
    seq: 3,
    at: noon,
    customerId: 1,
    userId: 7,
    from: '1',
    to: '2',
    text: '',
  } as const;
  expect(ajv.validate(CallEventSchema, payloadOf(answered))).toBe(true);
  expect(ajv.validate(DtmfEventSchema, payloadOf({ ...facts, kind: 'dtmf', digit: '5', by: 'callee' }))).toBe(true);
  expect(ajv.validate(SmsEventSchema, payloadOf(sms))).toBe(true);
  expect(ajv.validate(TestEventSchema, testPayload('t1', noon, 'mine', 1))).toBe(true);
  expect(ajv.validate(CallEventSchema, payloadOf(sms))).toBe(false);
});
