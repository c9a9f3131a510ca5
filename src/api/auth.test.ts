// Who may speak to the API: logins, tokens on the clock, API keys, codes by email, and what each refusal says.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { basic, createStage, keyOf, type Stage } from './api.rig.ts';

const MINUTE = 60_000;
let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

function get(path: string, authorization?: string) {
  const call = request(stage.api).get(`/v1.1/pbx${path}`);
  return authorization === undefined ? call : call.set('Authorization', authorization);
}

function post(path: string, body: object, authorization?: string) {
  const call = request(stage.api).post(`/v1.1/pbx${path}`).send(body);
  return authorization === undefined ? call : call.set('Authorization', authorization);
}

async function logIn(user = stage.people.agent): Promise<string> {
  const answer = await post('/login', { email: user.email, password: user.password });
  expect(answer.status).toBe(200);
  return basic(answer.body.user_id, answer.body.user_token);
}

function pass(ms: number): void {
  stage.clock.advanceTo(stage.clock.now() + ms);
}

describe('logging in', () => {
  test('with email and password gives a token and the user id', async () => {
    const { agent } = stage.people;
    const answer = await post('/login', { email: agent.email, password: agent.password, remember_me: true });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['message', 'user_token', 'user_id']);
    expect(answer.body.user_id).toBe(10_000_003);
    expect(answer.body.user_token).toMatch(/^[A-Za-z0-9]{40}$/);
    const ping = await get('/ping', basic(answer.body.user_id, answer.body.user_token));
    expect([ping.status, ping.body]).toEqual([200, { message: 'pong' }]);
  });

  test('takes the email in any case', async () => {
    const { agent } = stage.people;
    const answer = await post('/login', { email: agent.email.toUpperCase(), password: agent.password });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['a wrong password', () => ({ email: stage.people.agent.email, password: 'no' })],
    ['an unknown email', () => ({ email: 'nobody@example.com', password: stage.people.agent.password })],
    ["another user's password", () => ({ email: stage.people.agent.email, password: stage.people.root.password })],
  ])('with %s is 400 and tells not which of the two is wrong', async (_, body) => {
    const answer = await post('/login', body());
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      message: 'There is no active user with this email and password.',
      errors: ['email, password: no active user has both'],
    });
  });

  test('as an inactive user is 400', async () => {
    const { agent } = stage.people;
    stage.store.users.update(agent.user_id, { active: false });
    expect((await post('/login', { email: agent.email, password: agent.password })).status).toBe(400);
  });

  test('without a password is 400 that names it, and without any body both', async () => {
    const without = await post('/login', { email: 'a@example.com' });
    expect([without.status, without.body.errors]).toEqual([
      400,
      ['password: is missing, expected text (1 to 1024 characters)'],
    ]);
    const empty = await request(stage.api).post('/v1.1/pbx/login');
    expect([empty.status, empty.body.errors]).toEqual([
      400,
      [
        'email: is missing, expected text (1 to 254 characters)',
        'password: is missing, expected text (1 to 1024 characters)',
      ],
    ]);
  });
});

describe('the second factor', () => {
  async function nonceAndCode(): Promise<{ nonce: string; code: string }> {
    const { email, password } = stage.people.twoFactor;
    const answer = await post('/login', { email, password });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['message', 'nonce']);
    const mail = stage.outbox.list().at(-1);
    expect(mail).toMatchObject({ kind: '2fa', to: email, at: stage.clock.now() });
    expect(mail?.code).toMatch(/^\d{6}$/);
    return { nonce: answer.body.nonce, code: mail?.code ?? '' };
  }

  test('a nonce and the code from the email give a token, once', async () => {
    const proof = await nonceAndCode();
    const answer = await post('/login2fa', { ...proof, add_device: true });
    expect([answer.status, answer.body.user_id]).toEqual([200, 10_000_007]);
    expect((await get('/ping', basic(answer.body.user_id, answer.body.user_token))).status).toBe(200);
    const again = await post('/login2fa', proof);
    expect([again.status, again.body.errors]).toEqual([400, ['nonce: unknown, used or too old']]);
  });

  test('is asked of users whose two_factor_auth is E, not of others', async () => {
    const { email, password, user_id } = stage.people.agent;
    const login = async (): Promise<string[]> => Object.keys((await post('/login', { email, password })).body);
    expect(await login()).toContain('user_token');
    stage.store.users.update(user_id, { two_factor_auth: 'E' });
    expect(await login()).toEqual(['message', 'nonce']);
  });

  test('a nonce bears four wrong codes and no fifth', async () => {
    const { nonce, code } = await nonceAndCode();
    const wrong = code === '000000' ? '000001' : '000000';
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await post('/login2fa', { nonce, code: wrong });
      expect([answer.status, answer.body.errors]).toEqual([
        400,
        [`code: wrong; attempts left with this nonce: ${left}`],
      ]);
    }
    expect((await post('/login2fa', { nonce, code })).status).toBe(400);
  });

  test('a nonce lives ten minutes', async () => {
    const early = await nonceAndCode();
    pass(10 * MINUTE - 1);
    expect((await post('/login2fa', early)).status).toBe(200);
    const late = await nonceAndCode();
    pass(10 * MINUTE);
    expect((await post('/login2fa', late)).status).toBe(400);
  });

  test('a user who was deactivated meanwhile gets no token', async () => {
    const proof = await nonceAndCode();
    stage.store.users.update(stage.people.twoFactor.user_id, { active: false });
    const answer = await post('/login2fa', proof);
    expect([answer.status, answer.body.errors]).toEqual([400, ['nonce: its user is no longer active']]);
  });

  test('the code of one login does not fit the nonce of another', async () => {
    const first = await nonceAndCode();
    const second = await nonceAndCode();
    expect(first.code).not.toBe(second.code);
    expect((await post('/login2fa', { nonce: first.nonce, code: second.code })).status).toBe(400);
  });
});

describe('the life of a token', () => {
  test('ends after 15 minutes without a request', async () => {
    const token = await logIn();
    pass(15 * MINUTE - 1);
    expect((await get('/calls', token)).status).toBe(200);
    pass(15 * MINUTE);
    const late = await get('/calls', token);
    expect(late.status).toBe(401);
    expect(late.body.message).toBe(
      'The user token has expired after 15 minutes without a request; log in again with POST /login.',
    );
    expect((await get('/calls', token)).status).toBe(401);
  });

  test.each([
    ['ping', '/ping', 200],
    ['any other request', '/users', 200],
    ['a request for what does not exist', '/calls/1', 404],
    ['a request that is refused', '/calls?page=0', 400],
  ])('%s begins the window anew', async (_, path, status) => {
    const token = await logIn();
    pass(14 * MINUTE);
    expect((await get(path, token)).status).toBe(status);
    pass(14 * MINUTE);
    expect((await get('/ping', token)).status).toBe(200);
  });

  test('ends with logout, that of other tokens of the user does not', async () => {
    const [one, other] = [await logIn(), await logIn()];
    const answer = await post('/logout', {}, one);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']]);
    const after = await get('/ping', one);
    expect(after.status).toBe(401);
    expect(after.body.message).toBe('The user token was destroyed by POST /logout; log in again with POST /login.');
    expect((await post('/logout', {}, one)).status).toBe(401);
    expect((await get('/ping', other)).status).toBe(200);
  });

  test('is bound to its user', async () => {
    const { agent, admin } = stage.people;
    const answer = await post('/login', { email: agent.email, password: agent.password });
    expect((await get('/ping', basic(admin.user_id, answer.body.user_token))).status).toBe(401);
  });

  test('a hundred tokens live at once; the next login ends the one that was idle longest', async () => {
    const idle = await logIn();
    for (let count = 1; count < 100; count += 1) stage.sessions.open(stage.people.agent.user_id);
    expect((await get('/ping', idle)).status).toBe(200);
    stage.sessions.open(stage.people.agent.user_id);
    expect((await get('/ping', idle)).body.message).toContain('ended by a newer login');
  });
});

describe('an API key', () => {
  test('opens the API at any time and outlives logout', async () => {
    const key = keyOf(stage.people.agent);
    pass(365 * 24 * 60 * MINUTE);
    expect((await get('/ping', key)).status).toBe(200);
    const answer = await post('/logout', {}, key);
    expect([answer.status, answer.body]).toEqual([200, { message: 'You are logged out; the API key stays valid.' }]);
    expect((await get('/ping', key)).status).toBe(200);
  });

  test('that was revoked or belongs to an inactive user opens nothing', async () => {
    const { agent } = stage.people;
    const key = keyOf(agent);
    stage.store.users.update(agent.user_id, { active: false });
    expect((await get('/ping', key)).body.message).toBe(
      'User 10000003 is not active; an administrator must activate it.',
    );
    stage.store.users.update(agent.user_id, { active: true });
    stage.store.accounts.update(agent.user_id, { apiKey: null });
    expect((await get('/ping', key)).status).toBe(401);
  });
});

describe('401 says what was seen and what is missing', () => {
  const base64 = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  test.each([
    ['no header', undefined, 'There is no Authorization header'],
    ['another scheme', 'Bearer abc', 'has the scheme Bearer, not Basic'],
    ['no scheme', `${Buffer.from('1:2').toString('base64')}`, 'not Basic'],
    ['no credentials', 'Basic', 'has no credentials after Basic'],
    ['no base64', 'Basic 10000003:key', 'are not base64'],
    ['no colon', base64('10000003;key'), 'have no colon'],
    ['an email for the id', base64('a@example.com:key'), 'is an email address'],
    ['no id', base64(':key'), 'and is nothing'],
    ['no secret', base64('10000003:'), 'The part after the colon is empty'],
    ['an unknown user', base64('123:key'), 'No user 123 has this user token or API key'],
    ['an unknown secret', base64('10000003:key'), 'No user 10000003 has this user token or API key'],
  ])('%s', async (_, header, message) => {
    const answer = await get('/calls', header);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="pbxsim", charset="UTF-8"');
    expect(answer.body.message).toContain(message);
    expect(answer.body.errors).toEqual([answer.body.message]);
  });

  test('and never repeats a secret', async () => {
    for (const header of ['s3cretvalue', 'Bearer s3cretvalue', base64('10000003:s3cretvalue'), 'Basic s3cretvalue!'])
      expect(JSON.stringify((await get('/calls', header)).body)).not.toContain('s3cret');
  });

  test('the scheme counts in any case', async () => {
    expect((await get('/ping', keyOf(stage.people.agent).replace('Basic', 'bAsIc'))).status).toBe(200);
  });
});

describe('passwords and confirmations', () => {
  async function resetToken(): Promise<string> {
    const { email } = stage.people.agent;
    const answer = await post('/password', { email });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']]);
    const mail = stage.outbox.list().at(-1);
    expect(mail).toMatchObject({ kind: 'reset', to: email });
    return mail?.token ?? '';
  }

  test('a reset token sets a new password, once, and ends the tokens but not the key', async () => {
    const { agent } = stage.people;
    const old = await logIn();
    const token = await resetToken();
    expect((await post('/reset', { token, password: 'new one' })).status).toBe(200);
    expect((await get('/ping', old)).body.message).toContain('ended when the password was changed');
    expect((await get('/ping', keyOf(agent))).status).toBe(200);
    expect((await post('/login', { email: agent.email, password: agent.password })).status).toBe(400);
    expect((await post('/login', { email: agent.email, password: 'new one' })).status).toBe(200);
    const again = await post('/reset', { token, password: 'another' });
    expect([again.status, again.body.errors]).toEqual([400, ['token: unknown, used or too old']]);
  });

  test('a reset token lives one hour', async () => {
    const token = await resetToken();
    pass(60 * MINUTE);
    expect((await post('/reset', { token, password: 'late' })).status).toBe(400);
    expect(stage.store.accounts.get(stage.people.agent.user_id)?.password).toBe(stage.people.agent.password);
  });

  test.each(['/password', '/confirmation'])(
    '%s answers an unknown email as a known one and sends nothing',
    async (path) => {
      const known = await post(path, { email: stage.people.agent.email });
      const unknown = await post(path, { email: 'nobody@example.com' });
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
      expect(stage.outbox.list().map(({ to }) => to)).toEqual([stage.people.agent.email]);
      expect((await post(path, { email: 'no address' })).body.errors).toEqual([
        'email: expected text (email address; at most 254 characters), got "no address"',
      ]);
    },
  );

  test('a confirmation goes out with a token', async () => {
    expect((await post('/confirmation', { email: stage.people.agent.email })).status).toBe(200);
    expect(stage.outbox.list()).toMatchObject([
      { id: 1, kind: 'confirmation', token: expect.stringMatching(/^\w{40}$/) },
    ]);
  });
});
