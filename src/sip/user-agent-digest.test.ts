// Requests and calls that are challenged: 401 and 407, answered by the engine (RFC 3261, 22; RFC 3665, 2.1 and 3.3).
import { describe, expect, it } from 'vitest';
import { DigestVerifier } from './digest.ts';
import { createStage, diary, SDP, type Stage } from './user-agent.rig.ts';
import type { ServerRequest, Session, SessionEvents } from './user-agent-api.ts';

describe('digest (RFC 3665, 2.1 and 3.3)', () => {
  function guarded(events: SessionEvents = {}, nonceLifetimeMs = 300_000): Stage & { asked: number[] } {
    const asked: number[] = [];
    let verifier: DigestVerifier | undefined;
    const check = (request: ServerRequest, header: string): boolean => {
      const outcome = verifier?.verify({
        authorization: request.request.headers.all(header),
        method: request.request.method,
        uri: request.request.uri,
        password: 'secret',
      });
      if (outcome === undefined || outcome.ok) return outcome !== undefined;
      const status = header === 'Authorization' ? 401 : 407;
      asked.push(status);
      const stale = outcome.reason === 'stale';
      const ask = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
      request.respond(status, { headers: verifier?.challenge({ stale }).map((value) => [ask, value] as const) ?? [] });
      return false;
    };
    const stage = createStage({
      bob: {
        methods: ['REGISTER'],
        events: {
          onInvite(session, request) {
            session.events = events;
            if (check(request, 'Proxy-Authorization')) session.accept(SDP);
          },
          onRequest: (request) => {
            if (check(request, 'Authorization')) request.respond(200);
          },
        },
      },
    });
    verifier = new DigestVerifier({ realm: 'atlanta.example', clock: stage.clock, secret: 's', nonceLifetimeMs });
    return { ...stage, asked };
  }
  const register = {
    method: 'REGISTER',
    uri: 'sip:192.0.2.2',
    from: '<sip:alice@192.0.2.2>',
    to: '<sip:alice@192.0.2.2>',
  };
  const credentials = { username: 'alice', password: 'secret' };

  it('registers: REGISTER 401 REGISTER 200, with a new branch, the next CSeq and the same Call-ID', () => {
    const stage = guarded();
    const outcomes: number[] = [];
    stage.alice.request({ ...register, credentials }, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(stage.story).toEqual(['0 alice REGISTER', '0 bob 401 REGISTER', '0 alice REGISTER', '0 bob 200 REGISTER']);
    expect(outcomes).toEqual([200]);
    const [first, , second] = stage.sent;
    expect(second?.headers.get('CSeq')).toBe('2 REGISTER');
    expect(second?.headers.get('Call-ID')).toBe(first?.headers.get('Call-ID'));
    expect(second?.headers.get('Via')).not.toBe(first?.headers.get('Via'));
    expect(second?.headers.get('Contact')).toBe('<sip:alice@192.0.2.1:5060>');
  });

  it('gives up after a wrong password', () => {
    const stage = guarded();
    const outcomes: number[] = [];
    const wrong = { username: 'alice', password: 'guess' };
    stage.alice.request({ ...register, credentials: wrong }, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(stage.asked).toEqual([401, 401]);
    expect(outcomes).toEqual([401]);
  });

  it('tries once more when only the nonce was too old', () => {
    const stage = guarded({}, -1);
    const outcomes: number[] = [];
    stage.alice.request({ ...register, credentials }, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(stage.asked).toEqual([401, 401, 401]);
    expect(outcomes).toEqual([401]);
  });

  it('calls: INVITE 407 ACK INVITE 200 ACK, and the ACK of the 200 carries the credentials', () => {
    const stage = guarded();
    const heard: string[] = [];
    const session = stage.call({ credentials, events: diary(heard) });
    stage.clock.settle();
    expect(stage.story).toEqual([
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 407 INVITE',
      '0 alice ACK',
      '0 alice INVITE',
      '0 bob 100 INVITE',
      '0 bob 200 INVITE',
      '0 alice ACK',
    ]);
    expect(heard).toEqual(['answered 200']);
    expect(session.invite.headers.get('CSeq')).toBe('2 INVITE');
    expect(stage.sent.at(-1)?.headers.get('CSeq')).toBe('2 ACK');
    expect(stage.sent.at(-1)?.headers.get('Proxy-Authorization')).toBe(
      session.invite.headers.get('Proxy-Authorization'),
    );
    session.end();
    stage.at(100_000);
    expect(stage.clock.pending()).toEqual([]);
  });

  it('answers challenges within the dialog', () => {
    const onRequest = (_: Session, request: ServerRequest) => {
      if (request.request.headers.has('Authorization')) request.respond(200);
      else {
        const challenge = 'Digest realm="atlanta.example", nonce="n1", algorithm=MD5, qop="auth"';
        request.respond(401, { headers: [['WWW-Authenticate', challenge]] });
      }
    };
    const stage = guarded({ onRequest });
    const outcomes: number[] = [];
    const session = stage.call({ credentials });
    stage.clock.settle();
    session.request('INFO', {}, ({ status }) => outcomes.push(status));
    stage.clock.settle();
    expect(outcomes).toEqual([200]);
    expect(stage.story.slice(-4)).toEqual(['0 alice INFO', '0 bob 401 INFO', '0 alice INFO', '0 bob 200 INFO']);
  });
});
