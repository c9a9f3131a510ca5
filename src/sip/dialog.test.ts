// Dialogs: which way a request goes, whose tags it carries (RFC 3261, 12 and the examples of 16.12.1).
import { describe, expect, it } from 'vitest';
import { Dialog, MAX_ROUTES } from './dialog.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { requestOf, responseTo } from './serialise.ts';

function invite(recordRoutes: readonly string[] = []): SipRequest {
  return requestOf({
    method: 'INVITE',
    uri: 'sip:callee@domain.com',
    headers: [
      ...recordRoutes.map((route) => ['Record-Route', route] as const),
      ['From', '<sip:caller@example.com>;tag=f'],
      ['To', '<sip:callee@domain.com>'],
      ['Contact', '<sip:caller@u1.example.com>'],
    ],
  });
}

function answer(request: SipRequest): SipResponse {
  return responseTo(request, 200, { toTag: 't', headers: [['Contact', '<sip:callee@u2.domain.com>']] });
}

function callersSide(recordRoutes: readonly string[]): Dialog {
  const request = invite(recordRoutes);
  return Dialog.ofCaller(request, answer(request), { callId: 'c', localTag: 'f', remoteTag: 't' }, 1);
}

function calleesSide(recordRoutes: readonly string[]): Dialog {
  const arrival = { callId: 'c', fromTag: 'f', cseq: 7 };
  return Dialog.ofCallee(invite(recordRoutes), arrival, 't');
}

// RFC 3261, 16.12.1.1: two loose routers between the ends.
const loose = ['<sip:p2.domain.com;lr>', '<sip:p1.example.com;lr>'];

describe('a dialog', () => {
  it('without a route set goes straight to the Contact', () => {
    expect(callersSide([]).way()).toEqual({ uri: 'sip:callee@u2.domain.com', routes: [] });
    expect(calleesSide([]).way()).toEqual({ uri: 'sip:caller@u1.example.com', routes: [] });
  });

  it('goes through loose routers: the caller in reverse order, the callee as recorded', () => {
    expect(callersSide(loose).way()).toEqual({
      uri: 'sip:callee@u2.domain.com',
      routes: ['<sip:p1.example.com;lr>', '<sip:p2.domain.com;lr>'],
    });
    expect(calleesSide(loose).way()).toEqual({ uri: 'sip:caller@u1.example.com', routes: loose });
    expect(calleesSide([loose.join(', ')]).way().routes).toEqual(loose);
  });

  it('gives a strict router the Request-URI, and the target the last Route (RFC 3261, 16.12.1.2)', () => {
    expect(calleesSide(['<sip:strict.example.com>', '<sip:p1.example.com;lr>']).way()).toEqual({
      uri: 'sip:strict.example.com',
      routes: ['<sip:p1.example.com;lr>', '<sip:caller@u1.example.com>'],
    });
  });

  it('carries the tags of both sides', () => {
    const callee = calleesSide([]);
    expect([callee.local, callee.remote]).toEqual(['<sip:callee@domain.com>;tag=t', '<sip:caller@example.com>;tag=f']);
    const caller = callersSide([]);
    expect([caller.local, caller.remote]).toEqual(['<sip:caller@example.com>;tag=f', '<sip:callee@domain.com>;tag=t']);
    expect([callee.remoteCseq, callee.nextCseq(), callee.nextCseq()]).toEqual([7, 1, 2]);
    expect([caller.remoteCseq, caller.nextCseq()]).toEqual([-1, 2]);
  });

  it('follows the peer to a new Contact, and stays where none is given', () => {
    const dialog = callersSide([]);
    dialog.refresh(invite());
    expect(dialog.target).toBe('sip:caller@u1.example.com');
    dialog.refresh(responseTo(invite(), 200));
    expect(dialog.target).toBe('sip:caller@u1.example.com');
  });

  it('takes no endless route set', () => {
    const many = Array.from({ length: MAX_ROUTES + 1 }, (_, index) => `<sip:p${index};lr>`);
    expect(calleesSide(many).routes).toEqual([]);
    expect(calleesSide(many.slice(1)).routes.length).toBe(32);
  });
});
