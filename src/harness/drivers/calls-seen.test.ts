// Which calls a phone has, told by the messages at it.
import { describe, expect, it } from 'vitest';
import { callsSeen } from './calls-seen.ts';
import type { PhoneMessage, SdpDirection } from './phone-driver.ts';

/** `> INVITE` is sent, `< 180 INVITE` received; the direction of sound may follow. */
function messages(...lines: readonly string[]): PhoneMessage[] {
  return lines.map((line) => {
    const [arrow, ...words] = line.split(' ');
    const status = /^\d/.test(words[0] ?? '') ? Number(words.shift()) : undefined;
    const [method = '', sdp] = words;
    return {
      direction: arrow === '>' ? 'sent' : 'received',
      method,
      ...(status === undefined ? {} : { status }),
      ...(sdp === undefined ? {} : { sdp: sdp as SdpDirection }),
      sipCallId: 'c1',
      text: 'x\r\nFrom: <sip:101@pbx.example>\r\nTo: <sip:+442079460911@pbx.example>',
    };
  });
}

const statesAfter = (...lines: readonly string[]): string[] =>
  callsSeen(messages(...lines), '+442079460911').map(
    ({ state, held, peer }) => `${state}${held ? ' held' : ''} ${peer}`,
  );

describe('calls seen', () => {
  it('ring and are answered here', () => {
    expect(statesAfter('< INVITE sendrecv')).toEqual(['ringing 101']);
    expect(statesAfter('< INVITE', '> 100 INVITE', '> 180 INVITE')).toEqual(['ringing 101']);
    expect(statesAfter('< INVITE', '> 180 INVITE', '> 200 INVITE', '< ACK')).toEqual(['connected 101']);
  });

  it('go out, through a challenge, and ring there', () => {
    expect(statesAfter('> INVITE', '< 100 INVITE')).toEqual(['calling +442079460911']);
    expect(statesAfter('> INVITE', '< 407 INVITE', '> ACK', '> INVITE')).toEqual(['calling +442079460911']);
    expect(statesAfter('> INVITE', '< 180 INVITE')).toEqual(['ringback +442079460911']);
  });

  it('are held by this side when the other has agreed', () => {
    const talking = ['> INVITE', '< 200 INVITE', '> ACK'] as const;
    expect(statesAfter(...talking, '> INVITE sendonly')).toEqual(['connected +442079460911']);
    expect(statesAfter(...talking, '> INVITE sendonly', '< 200 INVITE recvonly')).toEqual([
      'connected held +442079460911',
    ]);
    expect(statesAfter(...talking, '> INVITE sendonly', '< 491 INVITE')).toEqual(['connected +442079460911']);
    expect(statesAfter(...talking, '< INVITE sendonly', '> 200 INVITE recvonly')).toEqual(['connected +442079460911']);
  });

  it.each([
    ['refused', ['< INVITE', '> 486 INVITE']],
    ['cancelled', ['< INVITE', '> 180 INVITE', '< CANCEL']],
    ['hung up here', ['< INVITE', '> 200 INVITE', '> BYE']],
    ['hung up there', ['> INVITE', '< 200 INVITE', '< BYE']],
  ])('are over when %s', (_how, lines) => {
    expect(statesAfter(...lines)).toEqual([]);
  });

  it('need an INVITE', () => {
    expect(statesAfter('< BYE', '> 481 BYE', '> REGISTER')).toEqual([]);
  });
});
