// A living company over HTTP: how much goes on by itself, and the dial. Knows no call.
import { integer, record, string } from '../../contract/schema.ts';
import { success } from '../../kernel/errors.ts';
import { type ControlRow, row } from '../row.ts';
import { members } from '../shapes.ts';

const answer = record({
  rate: string({ description: '30/min, or off' }),
  begun: integer({ description: 'calls and messages since the start or the last reset' }),
  skipped: integer({ description: 'those left out because nobody was free' }),
});

export const trafficRows: readonly ControlRow[] = [
  row({
    id: 'getTraffic',
    method: 'GET',
    path: '/traffic',
    summary: 'How much goes on by itself in the first account.',
    success: 200,
    answer,
    errors: [],
    handle: (_input, { traffic }) => success(traffic.state),
  }),
  row({
    id: 'setTraffic',
    method: 'PUT',
    path: '/traffic',
    summary: 'Calls and messages come by themselves from now on, at this rate on the clock. Calls that are live go on.',
    body: members({ rate: string({ maxLength: 20, description: 'a number, then /s, /min or /h; or off' }) }, ['rate']),
    success: 200,
    answer,
    errors: [400, 409],
    handle: ({ body }, { traffic }) => traffic.setRate(body.rate),
  }),
];
