// SIP over TLS and secure WebSocket as phones use it: OpenSSL, our own engine on a TLS connection, sip.js over WSS, and the addresses that serve names.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createSimulator } from '../index.ts';
import { dataOf } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import type { SipAddresses } from '../simulator.ts';
import { StreamFramer } from '../sip/stream-framer.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { Ending, Outcome, Session, UserAgent } from '../sip/user-agent-api.ts';
import type { SeededUser } from '../store/seed/people.ts';
import { LocalAuthority } from '../wires/authority/local-authority.ts';
import { StreamFlow, streamLimits } from '../wires/stream-flow.ts';
import { systemTime } from '../wires/system-time.ts';
import { CliProcess, run } from './cli-process.ts';
import { SipjsPhone } from './sipjs-phone.ts';
import { SocketStage } from './sockets-stage.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const authority = LocalAuthority.make();
const SDP =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';

async function stageWithTls(): Promise<{ stage: SocketStage; sip: Required<SipAddresses> }> {
  const stage = await SocketStage.open({}, authority);
  closing.push(async () => {
    const { violations } = stage.simulator.world;
    await stage.close();
    expect(violations).toEqual([]);
  });
  const { tls, wss } = stage.sip;
  if (tls === undefined || wss === undefined) throw new Error('it does not listen for TLS');
  return { stage, sip: { ...stage.sip, tls, wss } };
}

/** A phone of our own engine on one TLS connection. */
class TlsPhone {
  readonly invited: Promise<Session>;
  readonly #user: SeededUser;
  readonly #domain: string;
  readonly #agent: UserAgent;

  private constructor(user: SeededUser, domain: string, flow: StreamFlow, take: (agent: UserAgent) => void) {
    this.#user = user;
    this.#domain = domain;
    let ring: (session: Session) => void = () => {};
    this.invited = new Promise((resolve) => {
      ring = resolve;
    });
    this.#agent = createUserAgent({
      clock: new Timeline({ mode: 'real', startMs: 0, host: systemTime() }),
      random: new Random('tls phone'),
      product: 'tls-phone',
      contactUser: user.sip_username,
      lastHop: true,
      route: () => flow,
      events: { onInvite: (session) => ring(session), onRequest: (request) => request.respond(200) },
    });
    take(this.#agent);
  }

  static async connect(user: SeededUser, { tls, domain }: Required<SipAddresses>): Promise<TlsPhone> {
    const socket = await new Promise<ReturnType<typeof connect>>((resolve, reject) => {
      const made = connect({ host: tls.host, port: tls.port, ca: authority.pem }, () => resolve(made));
      made.once('error', reject);
    });
    closing.push(() => socket.destroy());
    let agent: UserAgent | undefined;
    const flow = new StreamFlow({
      socket,
      transport: 'TLS',
      local: { host: '127.0.0.1', port: socket.localPort ?? 0 },
      remote: tls,
      listener: {
        received: (from, bytes) => agent?.received(from, bytes),
        closed: (from, why) => agent?.closed(from, why),
      },
      makeFramer: (onPing) => new StreamFramer({ onPing }),
      limits: streamLimits,
      onClosed: () => {},
    });
    return new TlsPhone(user, domain, flow, (made) => {
      agent = made;
      closing.push(() => made.close());
    });
  }

  register(): Promise<Outcome> {
    const { sip_username: username, sip_password: password } = this.#user;
    const address = `<sip:${username}@${this.#domain}>`;
    const credentials = { username, password };
    return new Promise((resolve) =>
      this.#agent.request(
        { method: 'REGISTER', uri: `sip:${this.#domain}`, from: address, to: address, credentials },
        resolve,
      ),
    );
  }

  /** Resolves when it was answered or has ended. */
  call(to: string, scheme: 'sip' | 'sips' = 'sip'): Promise<{ session: Session; answer?: Outcome['response'] }> {
    const { sip_username: username, sip_password: password } = this.#user;
    return new Promise((resolve) => {
      this.#agent.invite({
        uri: `${scheme}:${to}@${this.#domain}`,
        from: `<${scheme}:${username}@${this.#domain}>`,
        to: `<${scheme}:${to}@${this.#domain}>`,
        credentials: { username, password },
        body: SDP,
        events: {
          onAnswered: (session, answer) => resolve({ session, answer }),
          onEnded: (session) => resolve({ session }),
        },
      });
    });
  }
}

/** What `openssl s_client` prints while it sends that. */
function openssl(at: string, ca: string, text: string): Promise<string> {
  const args = [
    's_client',
    '-connect',
    at,
    '-CAfile',
    ca,
    '-verify_return_error',
    '-verify_ip',
    '127.0.0.1',
    '-nocommands',
  ];
  const child = spawn('openssl', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  closing.push(() => child.kill());
  return new Promise((resolve) => {
    let all = '';
    const read = (chunk: Buffer): void => {
      all += chunk.toString();
      if (/Content-Length: \d+\r?\n/.test(all)) resolve(all);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => resolve(all));
    child.stdin.write(text);
  });
}

const OPTIONS = [
  'OPTIONS sip:pbxsim.test SIP/2.0',
  'Via: SIP/2.0/TLS 127.0.0.1:40000;branch=z9hG4bKopenssl;rport',
  'Max-Forwards: 70',
  'From: <sip:somebody@pbxsim.test>;tag=1',
  'To: <sip:pbxsim.test>',
  'Call-ID: openssl@127.0.0.1',
  'CSeq: 1 OPTIONS',
  'Content-Length: 0',
  '',
  '',
].join('\r\n');

describe('SIP over TLS', () => {
  it('registers a phone, lets it call and be called, on the one connection that it made', async () => {
    const { stage, sip } = await stageWithTls();
    await stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const phone = await TlsPhone.connect(stage.user(0), sip);
    expect((await phone.register()).status).toBe(200);
    const { session, answer } = await phone.call('102');
    expect(answer?.headers.get('Contact')).toBe(`<sip:pbxsim@127.0.0.1:${sip.tls.port};transport=tls>`);
    expect(answer?.headers.get('Via')).toMatch(/^SIP\/2\.0\/TLS 127\.0\.0\.1:\d+;/);
    const ended = new Promise<Ending>((resolve) => {
      session.events = { onEnded: (_, ending) => resolve(ending) };
    });
    session.end();
    await ended;
    await stage.act('102', 'call', { to: '101' });
    const invited = await phone.invited;
    invited.accept(SDP);
    const taken = await stage.entry('sip.out', (data) => data.transport === 'TLS' && data.method === 'INVITE');
    expect(String(dataOf(taken).text)).toMatch(/^Via: SIP\/2\.0\/TLS 127\.0\.0\.1:\d+;/m);
    invited.end();
  });

  it('keeps SIPS URIs in Contacts of a call that is to be secure (RFC 3261, 12.1.1)', async () => {
    const { stage, sip } = await stageWithTls();
    await stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const phone = await TlsPhone.connect(stage.user(0), sip);
    expect((await phone.register()).status).toBe(200);
    const { session, answer } = await phone.call('102', 'sips');
    expect(answer?.headers.get('Contact')).toBe(`<sips:pbxsim@127.0.0.1:${sip.tls.port}>`);
    session.end();
  });

  it('lets go of who sends no SIP, and of nobody else', async () => {
    const { stage, sip } = await stageWithTls();
    const phone = await TlsPhone.connect(stage.user(0), sip);
    const rude = connect({ host: sip.tls.host, port: sip.tls.port, ca: authority.pem });
    rude.on('error', () => {});
    const gone = new Promise<void>((resolve) => rude.once('close', () => resolve()));
    rude.write(`GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n${'x'.repeat(100_000)}`);
    await gone;
    expect((await phone.register()).status).toBe(200);
  });
});

describe('SIP over secure WebSocket', () => {
  it('carries a call of sip.js', async () => {
    const { stage, sip } = await stageWithTls();
    await stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, authority.pem]);
    closing.push(() => setDefaultCACertificates(trusted));
    const phone = new SipjsPhone(stage.user(0), { ws: sip.wss, domain: sip.domain });
    closing.push(() => phone.close());
    await phone.connect();
    expect(await phone.register()).toBe(200);
    const { session, final } = await phone.call('102');
    expect(await final).toBe(200);
    await stage.entry('sip.in', (data) => data.transport === 'WSS' && data.method === 'ACK');
    await phone.hangUp(session);
  });
});

describe('what is told of it', () => {
  it('serve names both in its ready line, with the file to trust', async () => {
    const cli = new CliProcess(['serve', '--json', '--port', '0', '--sip-port', '0']);
    closing.push(() => cli.kill());
    const { sip, ca_file, api_root } = await cli.ready();
    expect(api_root).toMatch(/^http:/);
    expect(sip.tls).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(sip.wss).toMatch(/^wss:\/\/127\.0\.0\.1:\d+$/);
    const heard = await openssl(sip.tls, ca_file, OPTIONS);
    expect(heard).toContain('Verify return code: 0 (ok)');
    expect(heard).toMatch(/^SIP\/2\.0 200 OK\r?$/m);
    const socket = new WebSocket(sip.wss, 'sip', { ca: readFileSync(ca_file, 'utf8') });
    const answer = new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(data.toString()));
      socket.once('error', reject);
    });
    socket.once('open', () => socket.send(OPTIONS.replace('/TLS', '/WSS')));
    expect(await answer).toMatch(/^SIP\/2\.0 200 OK\r\n/);
    socket.terminate();
  });

  it('serve does without, and says why, where there is no folder for the authority', async () => {
    const cli = new CliProcess([
      'serve',
      '--json',
      '--port',
      '0',
      '--sip-port',
      '0',
      '--state-dir',
      import.meta.filename,
    ]);
    closing.push(() => cli.kill());
    const { sip, ca_file } = await cli.ready();
    expect([sip.tls, sip.wss, ca_file]).toEqual([undefined, undefined, undefined]);
    expect(cli.stderr).toMatch(/^pbxsim: no SIP over TLS: .*tls-sip\.test\.ts/m);
  });

  it('serve says which port is taken', async () => {
    const first = new CliProcess(['serve', '--json', '--port', '0', '--sip-port', '27160']);
    closing.push(() => first.kill());
    await first.ready();
    const second = await run(['serve', '--json', '--port', '0', '--sip-port', '27161']);
    expect(second.status).not.toBe(0);
    expect(second.stderr).toContain('SIP over TCP cannot listen on 127.0.0.1:27161: the port is in use.');
  });

  it('a simulator in a test has both with tls: true, without HTTPS', async () => {
    const simulator = await createSimulator({ sip: true, tls: true });
    closing.push(() => simulator.close());
    expect(simulator.url).toMatch(/^http:/);
    expect(simulator.sip?.wss).toMatch(/^wss:/);
    const port = simulator.sip?.tls?.port ?? 0;
    const socket = connect({ port, host: '127.0.0.1', ca: simulator.ca ?? '' });
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write(OPTIONS);
    expect(await answer).toMatch(/^SIP\/2\.0 200 OK\r\n/);
    socket.destroy();
    const plain = await createSimulator({ sip: true });
    closing.push(() => plain.close());
    expect([plain.sip?.tls, plain.ca]).toEqual([undefined, undefined]);
  });
});
