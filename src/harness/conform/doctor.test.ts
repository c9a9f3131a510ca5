// What doctor says of a target's clock and of what may be done: a clock that is meant to differ from ours is no fault.
import { describe, expect, it } from 'vitest';
import type { Answered } from '../../wires/http-client.ts';
import type { TargetDocument } from '../target/target-file.ts';
import { examine } from './doctor.ts';

const HERE_MS = Date.UTC(2026, 10, 21, 12);
const HERE = new Date(HERE_MS).toUTCString();
const LONG_AGO = 'Thu, 01 Jan 2026 00:00:07 GMT';
const CONTROL = { root: 'https://pbx.example/_sim' };

/** The point of that name, of a target whose answers carry that Date, and whose control API says that of its clock. */
async function pointOf(name: string, document: Partial<TargetDocument>, date: string, clock: object = {}) {
  const http = {
    send: ({ url }: { url: string }) => {
      const text = JSON.stringify(url.endsWith('/clock') ? clock : {});
      return Promise.resolve({ ok: true, status: 200, headers: { date }, text } as unknown as Answered);
    },
  };
  const whole = { api_root: 'https://pbx.example/v1.1/pbx', users: { first: { id: 7, key: 'k' } }, ...document };
  const points = await examine(whole, { http: http as never, nowMs: () => HERE_MS });
  const found = points.find((one) => one.name === name);
  return [found?.state, found?.message];
}

const clockIn = (mode: string) => ({ now: '2026-01-01T00:00:07.000Z', mode, busy: 0, next: null });

describe('the clock of a target', () => {
  it('is in order while it goes as ours does, and not when it is off', async () => {
    expect(await pointOf('clock', {}, HERE)).toEqual(['good', 'its clock is off by about 0.5 s']);
    expect((await pointOf('clock', {}, LONG_AGO))[0]).toBe('bad');
    // A simulator may follow the machine's clock: then it has to be right.
    expect((await pointOf('clock', { control: CONTROL }, LONG_AGO, clockIn('real')))[0]).toBe('bad');
  });

  it('is in order whatever it shows where its control API says that it is simulated', async () => {
    expect(await pointOf('clock', { control: CONTROL }, LONG_AGO, clockIn('manual'))).toEqual([
      'good',
      'simulated, manual: it shows 2026-01-01T00:00:07.000Z and moves when it is told',
    ]);
    expect(await pointOf('clock', { control: CONTROL }, LONG_AGO, clockIn('fast'))).toEqual([
      'good',
      'simulated, fast: it shows 2026-01-01T00:00:07.000Z and jumps from one timer to the next',
    ]);
  });

  it('is compared with ours where the control API says nothing that can be read', async () => {
    const odd = { ...clockIn('manual'), now: 'soon' };
    expect((await pointOf('clock', { control: CONTROL }, LONG_AGO, odd))[0]).toBe('bad');
    for (const body of [odd, {}])
      expect(await pointOf('control', { control: CONTROL }, HERE, body)).toEqual([
        'bad',
        'The control API shows no clock with now, mode, busy and next: is its root right (…/_sim)?',
      ]);
  });
});

describe('what may be done', () => {
  it('is said with what may not, and how to change that', async () => {
    expect(await pointOf('allowed', {}, HERE)).toEqual([
      'absent',
      'read; not write, dial, spend, wait, destroy: --allow, or allow of the target file',
    ]);
    const all = { allow: ['read', 'write', 'dial', 'spend', 'wait', 'destroy'] as TargetDocument['allow'] };
    expect(await pointOf('allowed', all as Partial<TargetDocument>, HERE)).toEqual([
      'good',
      'read, write, dial, spend, wait, destroy',
    ]);
  });
});
