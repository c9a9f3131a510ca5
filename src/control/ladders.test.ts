// The ladder of a short call over the control API, as text to the last character, and as JSON.
import request from 'supertest';
import { expect, it } from 'vitest';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

const CALL = 10_000_031;
const INVITE = 'INVITE sip:102@pbx.test SIP/2.0\r\nTo: <sip:102@pbx.test>\r\nCSeq: 1 INVITE\r\n\r\n';
const BUSY = 'SIP/2.0 486 Busy Here\r\nTo: <sip:102@pbx.test>;tag=b\r\nCSeq: 1 INVITE\r\n\r\n';

function stageWithACall() {
  const stage = createStage(globalThis);
  const { journal, clock } = stage;
  const note = (kind: string, data: Record<string, string>, cause: number | null = null) =>
    journal.append(kind, { callId: CALL, customerId: 1, cause, data });
  const sip = (kind: string, dialog: string, peer: string, text: string) =>
    note(kind, { sip_call_id: dialog, transport: 'UDP', local: '192.0.2.1:5060', remote: `${peer}:5060`, text });
  note('call.opened', { origin: 'call', src: '101', dst: '102' });
  sip('sip.in', 'a', '192.0.2.10', INVITE);
  sip('sip.out', 'b', '192.0.2.11', INVITE);
  clock.advanceTo(clock.now() + 1500);
  sip('sip.in', 'b', '192.0.2.11', BUSY);
  const failed = note('call.state', { to: 'FAILED' });
  note('event', { name: 'call.missed' }, failed);
  sip('sip.out', 'a', '192.0.2.10', BUSY);
  note('call.closed', { cause: 'User busy' });
  return request(createControl(stage.deps));
}

it('is text by default', async () => {
  const answer = await stageWithACall().get(`/_sim/calls/${CALL}/ladder`).expect(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.text.split('== 3')[0]).toBe(`\
Call 10000031: 101 -> 102, 2026-01-01T00:00:00.000Z; User busy

 no      time   caller 101                  exchange                    callee 102
  1     0.000   |--------- INVITE --------->|                           |
  2     0.000   |                           |--------- INVITE --------->|
  3     1.500   |                           |<----- 486 Busy Here ------|
  4     1.500   |                           | * FAILED                  |  call.missed
  5     1.500   |<----- 486 Busy Here ------|                           |

== 1: caller 101 -> exchange (UDP 192.0.2.10:5060 -> 192.0.2.1:5060)
INVITE sip:102@pbx.test SIP/2.0
To: <sip:102@pbx.test>
CSeq: 1 INVITE

== 2: exchange -> callee 102 (UDP 192.0.2.1:5060 -> 192.0.2.11:5060)
INVITE sip:102@pbx.test SIP/2.0
To: <sip:102@pbx.test>
CSeq: 1 INVITE

`);
});

it('is JSON when asked', async () => {
  const { body } = await stageWithACall().get(`/_sim/calls/${CALL}/ladder?form=json`).expect(200);
  expect(body).toMatchObject({ call_id: CALL, started_at: '2026-01-01T00:00:00.000Z', src: '101', dst: '102' });
  expect(body).toMatchObject({ cause: 'User busy', left_out: 0 });
  expect(body.columns).toEqual([
    { id: 'caller', title: 'caller 101' },
    { id: 'exchange', title: 'exchange' },
    { id: 'callee', title: 'callee 102' },
  ]);
  expect(body.rows).toHaveLength(5);
  expect(body.rows[2]).toEqual({
    no: 3,
    seq: 4,
    at: '2026-01-01T00:00:01.500Z',
    from: 'callee',
    to: 'exchange',
    label: '486 Busy Here',
    note: '',
    message: BUSY,
    route: 'UDP 192.0.2.11:5060 -> 192.0.2.1:5060',
  });
});

it('is 404 with the reason, and 400 for another form', async () => {
  const api = stageWithACall();
  const { body } = await api.get('/_sim/calls/10000001/ladder').expect(404);
  expect(body.message).toBe(
    'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.',
  );
  for (const id of ['0', '-1', 'x', '1e3']) await api.get(`/_sim/calls/${id}/ladder`).expect(404);
  await api.get(`/_sim/calls/${CALL}/ladder?form=svg`).expect(400);
});
