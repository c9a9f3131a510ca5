// Digest authentication against the examples of RFC 7616, and the life of a nonce on the clock.
import { describe, expect, it } from 'vitest';
import { Timeline } from '../kernel/timeline.ts';
import { answerChallenge, chooseChallenge, DigestVerifier, digestUsername, isStale, parseDigest } from './digest.ts';

// RFC 7616, 3.9.1.
const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
const example = (algorithm: string) => ({
  challenge: `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
  method: 'GET',
  uri: '/dir/index.html',
  username: 'Mufasa',
  password: 'Circle of Life',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  nc: 1,
});

describe('answering a challenge', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('with %s as in RFC 7616', (algorithm, response) => {
    const answer = parseDigest(answerChallenge(example(algorithm)) ?? '');
    expect(Object.fromEntries(answer ?? [])).toEqual({
      username: 'Mufasa',
      realm: 'http-auth@example.org',
      nonce: NONCE,
      uri: '/dir/index.html',
      response,
      algorithm,
      cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      qop: 'auth',
      nc: '00000001',
      opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    });
  });

  // RFC 2617, 3.5, without its qop: what servers from before RFC 2617 ask.
  it('without qop as in RFC 2069', () => {
    const challenge = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"';
    const answer = answerChallenge({ ...example('MD5'), challenge, password: 'Circle Of Life' });
    expect(parseDigest(answer ?? '')?.get('response')).toBe('670fd8c2df070c60b045671b8b24ff02');
  });

  it('is impossible for what we cannot do', () => {
    for (const challenge of [
      'Basic realm="x"',
      'Digest realm="x"',
      'Digest realm="x", nonce="y", algorithm=SHA-512-256',
    ]) {
      expect(answerChallenge({ ...example('MD5'), challenge })).toBeUndefined();
    }
    const integrity = 'Digest realm="x", nonce="y", qop="auth-int"';
    expect(answerChallenge({ ...example('MD5'), challenge: integrity })).toBeUndefined();
  });

  it('takes the first challenge that it can meet', () => {
    const sha = 'Digest realm="x", nonce="y", algorithm=SHA-256';
    expect(chooseChallenge(['Basic realm="x"', 'Digest realm="x", nonce="y", algorithm=TIGER', sha])).toBe(sha);
    expect(chooseChallenge([])).toBeUndefined();
  });
});

describe('the verifier', () => {
  function world() {
    const clock = new Timeline({ mode: 'manual', startMs: Date.UTC(2026, 0, 1) });
    const verifier = new DigestVerifier({ realm: 'pbxsim', clock, secret: 'seeded', nonceLifetimeMs: 60_000 });
    const register = { method: 'REGISTER', uri: 'sip:pbx', username: '1001', password: 'secret', cnonce: 'c', nc: 1 };
    const answer = (challenge: string | undefined, change = {}) =>
      answerChallenge({ challenge: challenge ?? '', ...register, ...change });
    const verify = (authorization: string | undefined, change = {}) =>
      verifier.verify({ authorization, method: 'REGISTER', uri: 'sip:pbx', password: 'secret', ...change });
    return { clock, verifier, answer, verify };
  }

  it('offers MD5 first, then SHA-256, with one fresh nonce', () => {
    const { verifier } = world();
    const [md5, sha] = verifier.challenge().map(parseDigest);
    expect([md5?.get('algorithm'), sha?.get('algorithm')]).toEqual(['MD5', 'SHA-256']);
    expect([md5?.get('realm'), md5?.get('qop'), md5?.has('stale')]).toEqual(['pbxsim', 'auth', false]);
    expect(md5?.get('nonce')).toBe(sha?.get('nonce'));
    expect(parseDigest(verifier.challenge()[0] ?? '')?.get('nonce')).not.toBe(md5?.get('nonce'));
  });

  it('takes a right answer in either algorithm, and again when it is repeated', () => {
    const { verifier, answer, verify } = world();
    for (const challenge of verifier.challenge()) {
      const authorization = answer(challenge);
      expect(verify(authorization)).toEqual({ ok: true, username: '1001' });
      expect(verify(authorization)).toEqual({ ok: true, username: '1001' });
      expect(authorization && digestUsername(authorization)).toBe('1001');
    }
  });

  it('refuses a wrong password, method, user or response', () => {
    const { verifier, answer, verify } = world();
    const challenge = verifier.challenge()[0];
    const wrong = { ok: false, reason: 'wrong', username: '1001' };
    expect(verify(answer(challenge, { password: 'guess' }))).toEqual(wrong);
    expect(verify(answer(challenge), { method: 'INVITE' })).toEqual(wrong);
    expect(verify(answer(challenge), { password: undefined })).toEqual(wrong);
    expect(verify(answer(challenge)?.replace(/response="../, 'response="zz'))).toEqual(wrong);
    expect(verify(answer(challenge)?.replace('qop=auth', 'qop=auth-int'))).toEqual(wrong);
    expect(verify(answer(challenge)?.replace('algorithm=MD5', 'algorithm=constructor'))).toEqual(wrong);
  });

  it('misses credentials that are absent, of another scheme, realm or broken', () => {
    const { verifier, answer, verify } = world();
    const missing = { ok: false, reason: 'missing', username: undefined };
    expect(verify(undefined)).toEqual(missing);
    expect(verify('NoOneKnowsThisScheme opaque-data=here')).toEqual(missing);
    expect(verify('Digest ===,,"')).toEqual(missing);
    expect(verify(answer(verifier.challenge()[0])?.replace('realm="pbxsim"', 'realm="other"'))).toEqual(missing);
  });

  it('finds its own among several credentials', () => {
    const { verifier, answer } = world();
    const own = answer(verifier.challenge()[0]) ?? '';
    const authorization = ['Digest realm="other", username="x"', own];
    const attempt = { authorization, method: 'REGISTER', uri: 'sip:pbx', password: 'secret' };
    expect(verifier.verify(attempt).ok).toBe(true);
  });

  it('lets a nonce live its time on the clock, then says stale to who knows the password', () => {
    const { clock, verifier, answer, verify } = world();
    const challenge = verifier.challenge()[0];
    const stale = { ok: false, reason: 'stale', username: '1001' };
    clock.advanceTo(clock.now() + 60_000);
    expect(verify(answer(challenge)).ok).toBe(true);
    clock.advanceTo(clock.now() + 1);
    expect(verify(answer(challenge))).toEqual(stale);
    expect(verify(answer(challenge, { password: 'guess' }))).toMatchObject({ reason: 'wrong' });
    expect(isStale(verifier.challenge({ stale: true })[0] ?? '')).toBe(true);
    expect(isStale(verifier.challenge()[0] ?? '')).toBe(false);
  });

  it('never takes a nonce that it did not make', () => {
    const { clock, verifier, answer, verify } = world();
    const forged = (nonce: string) => verify(answer(`Digest realm="pbxsim", nonce="${nonce}", qop="auth"`));
    const own = parseDigest(verifier.challenge()[0] ?? '')?.get('nonce') ?? '';
    const later = (clock.now() + 9_999).toString(36);
    for (const nonce of ['', 'x', '..', own.replace(/^[^.]+/, later), own.slice(0, -1)]) {
      expect(forged(nonce)).toEqual({ ok: false, reason: 'stale', username: '1001' });
    }
    expect(forged(own).ok).toBe(true);
  });

  it('minds the URI only when told to: SIPp and proxies write others', () => {
    const { clock, answer, verifier, verify } = world();
    const elsewhere = answer(verifier.challenge()[0], { uri: 'sip:127.0.0.1:5060' });
    expect(verify(elsewhere).ok).toBe(true);
    const strict = new DigestVerifier({ realm: 'pbxsim', clock, secret: 'seeded', sameUriOnly: true });
    const attempt = { authorization: elsewhere, method: 'REGISTER', uri: 'sip:pbx', password: 'secret' };
    expect(strict.verify(attempt)).toMatchObject({ reason: 'wrong' });
  });
});
