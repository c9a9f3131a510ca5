// Registration by hand over UDP, under a clock that only moves when told: several contacts, the star, lifetimes, and what REST says of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerChallenge, chooseChallenge } from '../sip/digest.ts';
import { RawPeer, type RequestParts, requestText, responseTo } from './sockets-peer.ts';
import { type Facts, SocketStage } from './sockets-stage.ts';

let stage: SocketStage;
let peer: RawPeer;
let sent = 0;

beforeEach(async () => {
  stage = await SocketStage.open({ clock: 'manual' });
  peer = await RawPeer.open('UDP', stage.sip);
});

afterEach(async () => {
  await peer.close();
  await stage.close();
});

/** Sends a REGISTER as the first user, answers the challenge, and gives the final response. */
async function register(headers: readonly string[], change: Partial<RequestParts> = {}): Promise<string> {
  const { sip_username: username, sip_password: password } = stage.user(0);
  sent += 1;
  const id = `reg${sent}`;
  const address = `<sip:${username}@pbxsim.test>`;
  const request = { method: 'REGISTER', uri: 'sip:pbxsim.test', from: address, to: address, headers, ...change };
  peer.send(requestText(peer, { ...request, id }));
  const refusal = await peer.hears(responseTo(id, 'REGISTER', 401));
  const challenges = [...refusal.matchAll(/^WWW-Authenticate: (.*)\r$/gm)].map((match) => match[1] ?? '');
  const authorization = answerChallenge({
    challenge: chooseChallenge(challenges) ?? '',
    method: 'REGISTER',
    uri: 'sip:pbxsim.test',
    username,
    password,
    cnonce: 'abc',
    nc: 1,
  });
  const again = `${id}b`;
  peer.send(requestText(peer, { ...request, id: again, headers: [...headers, `Authorization: ${authorization}`] }));
  return peer.hears(new RegExp(`^SIP/2\\.0 \\d+ [^]*Call-ID: ${again}@example\\.net`));
}

const contactsIn = (answer: string): string[] =>
  [...answer.matchAll(/^Contact: (.*)\r$/gm)].map((match) => match[1] ?? '');

async function locations(): Promise<unknown> {
  return (await stage.read(`/users/${stage.user(0).user_id}`)).nb_sip_locations;
}

async function advance(by: string): Promise<void> {
  expect((await stage.control('POST', '/clock', { advance: by })).status).toBe(200);
}

async function handset(): Promise<Facts> {
  await advance('0ms');
  return (await stage.control('GET', '/phones/101')).body;
}

describe('registrations', () => {
  it('of several phones are kept side by side, each for its own time', async () => {
    expect(await locations()).toBe(1);
    const first = await register([`Contact: <sip:desk@${peer.host}>`, 'Expires: 120']);
    expect(first).toMatch(/^SIP\/2\.0 200 /);
    expect(await handset()).toMatchObject({ stepped_back: true, registered: false });
    expect(await locations()).toBe(1);
    await register([`Contact: <sip:mobile@${peer.host}>;expires=600`, 'Expires: 120']);
    expect(await locations()).toBe(2);
    await advance('100s');
    const asked = await register([]);
    expect(contactsIn(asked).sort()).toEqual([
      `<sip:desk@${peer.host}>;expires=20`,
      `<sip:mobile@${peer.host}>;expires=500`,
    ]);
    await advance('20s');
    expect(await locations()).toBe(1);
    await advance('480s');
    expect(await handset()).toMatchObject({ stepped_back: false, registered: true });
    expect(await locations()).toBe(1);
  });

  it('live on when they are refreshed', async () => {
    await register([`Contact: <sip:desk@${peer.host}>`, 'Expires: 120']);
    await advance('119s');
    await register([`Contact: <sip:desk@${peer.host}>`, 'Expires: 120']);
    await advance('119s');
    expect(await handset()).toMatchObject({ stepped_back: true });
    await advance('1s');
    expect(await handset()).toMatchObject({ stepped_back: false });
  });

  it('are all taken back by the star, which goes with Expires: 0 alone', async () => {
    await register([`Contact: <sip:desk@${peer.host}>, <sip:mobile@${peer.host}>`, 'Expires: 300']);
    expect(await locations()).toBe(2);
    expect(await register(['Contact: *', 'Expires: 300'])).toMatch(/^SIP\/2\.0 400 /);
    expect(await register(['Contact: *'])).toMatch(/^SIP\/2\.0 400 /);
    expect(await locations()).toBe(2);
    const answer = await register(['Contact: *', 'Expires: 0']);
    expect(answer).toMatch(/^SIP\/2\.0 200 /);
    expect(contactsIn(answer)).toEqual([]);
    expect(await handset()).toMatchObject({ stepped_back: false, registered: true });
    expect(await locations()).toBe(1);
  });

  it('are taken back one by one with expires=0', async () => {
    await register([`Contact: <sip:desk@${peer.host}>, <sip:mobile@${peer.host}>`]);
    const answer = await register([`Contact: <sip:desk@${peer.host}>;expires=0`]);
    expect(contactsIn(answer)).toEqual([`<sip:mobile@${peer.host}>;expires=3600`]);
    expect(await locations()).toBe(1);
    expect(await handset()).toMatchObject({ stepped_back: true });
  });

  it('for less than a minute are refused with 423 and the least time', async () => {
    const answer = await register([`Contact: <sip:desk@${peer.host}>`, 'Expires: 59']);
    expect(answer).toMatch(/^SIP\/2\.0 423 /);
    expect(answer).toMatch(/^Min-Expires: 60\r$/m);
    expect(await handset()).toMatchObject({ stepped_back: false, registered: true });
    const granted = await register([`Contact: <sip:desk@${peer.host}>`, 'Expires: 60']);
    expect(contactsIn(granted)).toContain(`<sip:desk@${peer.host}>;expires=60`);
    await advance('59s');
    expect(await handset()).toMatchObject({ stepped_back: true });
    await advance('1s');
    expect(await handset()).toMatchObject({ stepped_back: false });
  });

  it('are limited to ten for a user and to two hours', async () => {
    const contacts = (count: number): string =>
      Array.from({ length: count }, (_, n) => `<sip:p${n}@${peer.host}>`).join(', ');
    expect(await register([`Contact: ${contacts(11)}`])).toMatch(/^SIP\/2\.0 403 /);
    expect(await locations()).toBe(1);
    await register([`Contact: ${contacts(1)}`]);
    await handset();
    const answer = await register([`Contact: ${contacts(10)}`, 'Expires: 999999']);
    expect(contactsIn(answer)).toHaveLength(10);
    expect(contactsIn(answer)[0]).toMatch(/;expires=7200$/);
    expect(await locations()).toBe(10);
  });

  it("of another user's address are refused", async () => {
    const other = `<sip:${stage.user(1).sip_username}@pbxsim.test>`;
    expect(await register([`Contact: <sip:desk@${peer.host}>`], { to: other })).toMatch(/^SIP\/2\.0 403 /);
    expect(await locations()).toBe(1);
  });

  it('that cannot be read are refused with 400', async () => {
    peer.send(requestText(peer, { method: 'REGISTER', id: 'broken', headers: ['Contact: <sip:desk@@@>'] }));
    expect(await peer.hears(responseTo('broken', 'REGISTER', 400))).toMatch(/^SIP\/2\.0 400 .*Contact/);
    expect(await locations()).toBe(1);
  });

  it('lead calls to the phone: the INVITE arrives where the contact says', async () => {
    await register([`Contact: <sip:desk@${peer.host}>`]);
    await advance('0ms');
    await stage.act('102', 'call', { to: '101' });
    const invite = await peer.hears(/^INVITE /);
    expect(invite).toMatch(new RegExp(`^INVITE sip:desk@${peer.host.replaceAll('.', '\\.')} SIP/2\\.0\\r\\n`));
    const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map(
      (name) => new RegExp(`^${name}: .*\\r\\n`, 'm').exec(invite)?.[0] ?? '',
    );
    const busy = `SIP/2.0 486 Busy Here\r\n${copied.join('').replace(/^(To: .*)\r/m, '$1;tag=here\r')}Content-Length: 0\r\n\r\n`;
    peer.send(busy);
    await peer.hears(/^ACK /);
    await stage.entry('call.closed', (data) => data.cause === 'User busy');
  });
});
