// What may be done to a target: what somebody said, else little to a system elsewhere. By file or by flag, the same.
import { describe, expect, it } from 'vitest';
import type { Answered } from '../../wires/http-client.ts';
import { reachTarget } from './reach-target.ts';
import type { TargetDocument } from './target-file.ts';

const ELSEWHERE = 'https://pbx.example/v1.1/pbx';
const CONTROL = { root: 'https://pbx.example/_sim' };

/** A target that lets everybody in, whose clock, if it has a control API, goes as it is told. */
async function allowedTo(document: Partial<TargetDocument>, mode = 'real'): Promise<readonly string[] | undefined> {
  const clock = { now: '2026-01-01T00:00:00.000Z', mode, busy: 0, next: null };
  const http = {
    send: ({ url }: { url: string }) => {
      const text = JSON.stringify(url.endsWith('/clock') ? clock : {});
      return Promise.resolve({ ok: true, status: 200, headers: {}, text } as unknown as Answered);
    },
  };
  const whole = { api_root: ELSEWHERE, users: { first: { id: 7, key: 'k' } }, ...document };
  return (await reachTarget(whole, http as never)).allow;
}

describe('what may be done to a target', () => {
  it('is reading alone, where nobody said more and it is no simulator on any machine', async () => {
    expect(await allowedTo({})).toEqual(['read']);
    expect(await allowedTo({ api_root: 'http://127.0.0.1.pbx.example/v1.1/pbx' })).toEqual(['read']);
  });

  it('is what its file or the flag says, and always reading', async () => {
    expect(await allowedTo({ allow: ['write'] })).toEqual(['read', 'write']);
    expect(await allowedTo({ allow: ['destroy', 'dial', 'wait'] })).toEqual(['read', 'dial', 'wait', 'destroy']);
    expect(await allowedTo({ allow: [] })).toEqual(['read']);
    expect(await allowedTo({ allow: ['read'], control: CONTROL }, 'manual')).toEqual(['read']);
    // Nobody pays for a public network that is simulated.
    expect(await allowedTo({ allow: ['dial'], control: CONTROL })).toEqual(['read', 'dial', 'spend']);
  });

  it('is to use a simulator, or a system on this machine; minutes where they cost none', async () => {
    expect(await allowedTo({ control: CONTROL })).toEqual(['read', 'write', 'dial', 'spend']);
    expect(await allowedTo({ control: CONTROL }, 'manual')).toEqual(['read', 'write', 'dial', 'spend', 'wait']);
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      expect(await allowedTo({ api_root: `http://${host}/v1.1/pbx` })).toEqual(['read', 'write', 'dial', 'spend']);
  });
});
