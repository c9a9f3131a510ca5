// The Replaces header: RFC 3891's own examples, and which dialog of ours each kind of INVITE may take (3).
import { describe, expect, it } from 'vitest';
import { Headers } from './headers.ts';
import { NO_BODY, type SipRequest } from './message.ts';
import { formatReplaces, parseReplaces } from './replaces.ts';
import { createStage, SDP, type Stage } from './user-agent.rig.ts';
import type { Session } from './user-agent-api.ts';

describe('the header', () => {
  it.each([
    [
      '98732@sip.example.com;from-tag=r33th4x0r;to-tag=ff87ff',
      { callId: '98732@sip.example.com', toTag: 'ff87ff', fromTag: 'r33th4x0r', earlyOnly: false },
    ],
    [
      '12adf2f34456gs5;to-tag=12345;from-tag=54321;early-only',
      { callId: '12adf2f34456gs5', toTag: '12345', fromTag: '54321', earlyOnly: true },
    ],
    [
      '87134@171.161.34.23;to-tag=24796;from-tag=0',
      { callId: '87134@171.161.34.23', toTag: '24796', fromTag: '0', earlyOnly: false },
    ],
    [' a@b ; To-Tag = x ; from-tag=y;other=1', { callId: 'a@b', toTag: 'x', fromTag: 'y', earlyOnly: false }],
  ])('%s is read', (text, expected) => {
    expect(parseReplaces(text)).toEqual(expected);
  });

  it.each([
    '',
    'a@b',
    ';to-tag=1;from-tag=2',
    'a b;to-tag=1;from-tag=2',
    'a@b;to-tag=1',
    'a@b;from-tag=2',
    'a@b;to-tag;from-tag=2',
    'a@b;to-tag=;from-tag=2',
    'a@b;to-tag=1;from-tag=2;"',
    'a@b,c@d;to-tag=1;from-tag=2',
  ])('%s is none', (text) => {
    expect(parseReplaces(text)).toBeUndefined();
  });

  it('is written as RFC 3891 has it', () => {
    const parts = { callId: '425928@bobster.example.org', toTag: '7743', fromTag: '6472' };
    expect(formatReplaces({ ...parts, earlyOnly: false })).toBe('425928@bobster.example.org;to-tag=7743;from-tag=6472');
    expect(formatReplaces({ ...parts, earlyOnly: true })).toBe(
      '425928@bobster.example.org;to-tag=7743;from-tag=6472;early-only',
    );
  });
});

interface Talk extends Stage {
  readonly alices: Session;
  readonly bobs: Session;
}

function ring(): Talk {
  const bobs: Session[] = [];
  const onInvite = (session: Session) => {
    bobs.push(session);
    session.provisional(180);
  };
  const stage = createStage({ bob: { events: { onInvite, onRequest() {} } } });
  const alices = stage.call();
  stage.at(100);
  const [bob] = bobs;
  if (bob === undefined) throw new Error('Bob was not called');
  return { ...stage, alices, bobs: bob };
}

function invite(...replaces: string[]): SipRequest {
  const headers = new Headers();
  for (const value of replaces) headers.append('Replaces', value);
  return { kind: 'request', method: 'INVITE', uri: 'sip:bob@192.0.2.2', headers, body: NO_BODY };
}

/** As the peer of that session would write it. */
function naming({ callId, localTag, remoteTag }: Session, more = ''): string {
  return `${callId};to-tag=${localTag};from-tag=${remoteTag}${more}`;
}

describe('an INVITE with Replaces', () => {
  it('takes an answered call, but not when it wants one that rings', () => {
    const { alice, bob, alices, bobs, at } = ring();
    bobs.accept(SDP);
    at(200);
    expect(bob.replacedBy(invite(naming(bobs)))).toEqual({ kind: 'found', session: bobs, early: false });
    expect(alice.replacedBy(invite(naming(alices)))).toEqual({ kind: 'found', session: alices, early: false });
    expect(bob.replacedBy(invite(naming(bobs, ';early-only')))).toEqual({ kind: 'refused', status: 486 });
  });

  it('takes a call that we began and that rings, but not one that rings at us', () => {
    const { alice, bob, alices, bobs } = ring();
    expect(alice.replacedBy(invite(naming(alices, ';early-only')))).toEqual({
      kind: 'found',
      session: alices,
      early: true,
    });
    expect(bob.replacedBy(invite(naming(bobs)))).toEqual({ kind: 'refused', status: 481 });
  });

  it('finds nothing under another tag, the tags exchanged, or another Call-ID', () => {
    const { bob, bobs, at } = ring();
    bobs.accept(SDP);
    at(200);
    const { callId, localTag, remoteTag } = bobs;
    for (const value of [
      `${callId};to-tag=${localTag};from-tag=0`,
      `${callId};to-tag=${localTag}x;from-tag=${remoteTag}`,
      `${callId};to-tag=${remoteTag};from-tag=${localTag}`,
      `x${callId};to-tag=${localTag};from-tag=${remoteTag}`,
    ]) {
      expect(bob.replacedBy(invite(value))).toEqual({ kind: 'refused', status: 481 });
    }
  });

  it('is declined when the call has just ended, and finds nothing later', () => {
    const { bob, bobs, at } = ring();
    bobs.accept(SDP);
    at(200);
    const value = naming(bobs);
    bobs.end();
    expect(bob.replacedBy(invite(value))).toEqual({ kind: 'refused', status: 603 });
    at(300);
    expect(bob.replacedBy(invite(value))).toEqual({ kind: 'refused', status: 481 });
  });

  it('is malformed without both tags, twice, or beside Join', () => {
    const { bob, bobs } = ring();
    const malformed = { kind: 'refused', status: 400, reason: 'One Replaces with both tags is needed' };
    expect(bob.replacedBy(invite(bobs.callId))).toEqual(malformed);
    expect(bob.replacedBy(invite(naming(bobs), naming(bobs)))).toEqual(malformed);
    const both = invite(naming(bobs));
    both.headers.append('Join', 'x;to-tag=1;from-tag=2');
    expect(bob.replacedBy(both)).toEqual(malformed);
  });

  it('asks for nothing without the header', () => {
    expect(ring().bob.replacedBy(invite())).toEqual({ kind: 'none' });
  });
});
