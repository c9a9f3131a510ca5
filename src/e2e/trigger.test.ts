// pbxsim trigger: every event happens by real signalling, in manual and in real time, and a webhook receives the very same one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventList, type TriggerFlags, triggerEvent } from '../cli/trigger.ts';
import { publishedEventNames } from '../contract/events.ts';
import type { ClockMode } from '../kernel/clock.ts';
import { run } from './cli-process.ts';
import { type Facts, SocketStage, until, WebhookInbox } from './sockets-stage.ts';

const NAMES = [...publishedEventNames, 'call.dtmf'];

class TriggerStage {
  readonly sockets: SocketStage;
  readonly inbox: WebhookInbox;

  private constructor(sockets: SocketStage, inbox: WebhookInbox) {
    this.sockets = sockets;
    this.inbox = inbox;
  }

  static async open(clock: ClockMode): Promise<TriggerStage> {
    const inbox = await WebhookInbox.open();
    const sockets = await SocketStage.open({ clock, allowHttpWebhooks: true });
    const events = ['call_state_change', 'sms_received', 'dtmf'];
    const saved = await sockets.control('POST', '/webhooks', { url: inbox.url, events });
    expect(saved.status).toBe(201);
    return new TriggerStage(sockets, inbox);
  }

  flags(overrides: Partial<TriggerFlags> = {}): TriggerFlags {
    return { control: `${this.sockets.root}/_sim`, timeout: 5000, ...overrides };
  }

  trigger(event: string, overrides: Partial<TriggerFlags> = {}) {
    return triggerEvent(event, this.flags(overrides));
  }

  /** What the webhook got under that id. */
  received(id: unknown): Promise<Facts> {
    return until(
      () => this.inbox.bodies.find((body) => body.id === id),
      (changed) => {
        const timer = setInterval(changed, 5);
        return () => clearInterval(timer);
      },
      `the webhook of event ${String(id)}`,
    );
  }

  async phones(): Promise<Facts[]> {
    return (await this.sockets.control('GET', '/phones')).body.data as Facts[];
  }

  /** Kinds and directions of the SIP of a call, without the challenges. */
  async methods(callId: number | null): Promise<string[]> {
    const { body } = await this.sockets.control('GET', `/journal?kind=sip&call_id=${callId}&limit=1000`);
    return (body.data as { data: { text: string } }[]).map(({ data }) => data.text.split(' ', 2).join(' '));
  }

  async close(): Promise<void> {
    expect(this.sockets.simulator.world.violations).toEqual([]);
    await this.sockets.close();
    await this.inbox.close();
  }
}

const STATES: Readonly<Record<string, Facts>> = {
  'call.initial': { state: 'INITIAL', destination: 'in', connected_at: null, src: '+442079469999' },
  'call.ringing': { state: 'RINGING', destination: 'in', connected_at: null, src: '+442079469999' },
  'call.missed': { state: 'FAILED', destination: 'in', connected_at: null, terminated_by: 'caller' },
  'call.connected': { state: 'CONNECTED', destination: 'in', terminated_by: '' },
  'call.failed': { state: 'FAILED', destination: 'out', dst: '+442079460001', t_cause: 'User busy' },
  'call.hangup': { state: 'HANGUP', destination: 'in', t_cause: 'Normal clearing', terminated_by: 'caller' },
  'call.hold': { state: 'ON_HOLD', terminated_by: '' },
  'call.unhold': { state: 'CONNECTED', terminated_by: '' },
  'sms.received': { from_no: '+442079469999', to_no: '+442079460101', text: 'A message from pbxsim.' },
  'call.dtmf': { state: 'CONNECTED', digit: '5', pressed_by: 'caller' },
};

describe.each<ClockMode>(['manual', 'real', 'fast'])('in %s time', (clock) => {
  let stage: TriggerStage;
  beforeAll(async () => {
    stage = await TriggerStage.open(clock);
  });
  afterAll(() => stage.close());

  it.each(NAMES)('%s happens, and the webhook gets that event', async (name) => {
    const phones = await stage.phones();
    const after = clock === 'real' && name.startsWith('call.') && takesAfter(name) ? { after: 60 } : {};
    const { call_id, event } = await stage.trigger(name, after);
    // A fast clock does not wait for the caller: the ring time is over first.
    const ended = clock === 'fast' && name === 'call.missed' ? { terminated_by: '' } : {};
    expect(event).toMatchObject({ event_name: name, ...STATES[name], ...ended });
    expect(await stage.received(event.id)).toEqual(event);
    expect(event.call_id ?? null).toBe(call_id);
    expect(await stage.phones()).toEqual(phones);
    expect((await stage.sockets.api('GET', '/calls')).body).toMatchObject({ total: 0 });
  });
});

function takesAfter(name: string): boolean {
  return !['call.initial', 'call.ringing'].includes(name);
}

describe('what is triggered', () => {
  let stage: TriggerStage;
  beforeAll(async () => {
    stage = await TriggerStage.open('manual');
  });
  afterAll(() => stage.close());

  it('is real signalling: a hold is a re-INVITE with sendonly', async () => {
    const { call_id } = await stage.trigger('call.hold');
    const { body } = await stage.sockets.control('GET', `/journal?kind=sip.in&call_id=${call_id}`);
    const texts = (body.data as { data: { text: string } }[]).map(({ data }) => data.text);
    expect(texts.filter((text) => text.startsWith('INVITE') && text.includes('a=sendonly'))).toHaveLength(1);
  });

  it('is real signalling: a missed call is a CANCEL two seconds after the INVITE', async () => {
    const { call_id, event } = await stage.trigger('call.missed');
    expect(event).toMatchObject({ duration: 2 });
    const methods = await stage.methods(call_id);
    expect(methods).toContain('SIP/2.0 180');
    expect(methods.filter((method) => method.startsWith('CANCEL'))).toHaveLength(2);
    expect(methods).toContain('SIP/2.0 487');
  });

  it('takes the parties and the times that it is told', async () => {
    const { event: between } = await stage.trigger('call.missed', { from: '103', ext: '102', after: 7000 });
    expect(between).toMatchObject({ src: '103', dst: '102', duration: 7 });
    const { event: answered } = await stage.trigger('call.connected', { from: '+12025550143', to: '+442079460104' });
    expect(answered).toMatchObject({ src: '+12025550143', dst: '104', destination: 'in' });
    const { event: outbound } = await stage.trigger('call.connected', { from: '102', to: '+442079460001' });
    expect(outbound).toMatchObject({ src: '102', dst: '+442079460001', destination: 'out' });
    const { event: declined } = await stage.trigger('call.failed', { ext: '104', to: '+442079460004' });
    expect(declined).toMatchObject({ src: '104', dst: '+442079460004', t_cause: 'Call rejected' });
    const { event: busy } = await stage.trigger('call.failed', { to: '442079461234' });
    expect(busy).toMatchObject({ src: '101', dst: '+442079461234', t_cause: 'User busy' });
    const { event: key } = await stage.trigger('call.dtmf', { digit: '#', from: '102', to: '101' });
    expect(key).toMatchObject({ digit: '#', src: '102', dst: '101' });
    const { event: sms } = await stage.trigger('sms.received', { from: 'ACME', ext: '102', text: 'Code 1234' });
    expect(sms).toMatchObject({ from_no: 'ACME', to_no: '+442079460102', user_id: 10000002, text: 'Code 1234' });
  });

  it('fails when nobody answers, once the caller has given up', async () => {
    const { event } = await stage.trigger('call.failed', { to: '+442079460002', after: 3000 });
    expect(event).toMatchObject({ event_name: 'call.failed', duration: 3, terminated_by: 'caller' });
  });

  it('goes on when it is to be kept, with everybody as before', async () => {
    const { call_id } = await stage.trigger('call.hold', { keep: true });
    const { body } = await stage.sockets.api('GET', '/calls');
    expect(body).toMatchObject({ total: 1, data: [{ id: call_id, state: 5 }] });
    expect((await stage.phones()).map(({ behaviour }) => behaviour)).toEqual(
      (await stage.phones()).map(() => ({ on_call: 'answer', after_ms: 2000 })),
    );
    // The next one takes other phones; the acts of one call never reach the other.
    const next = await stage.trigger('call.hangup');
    expect(next.event).toMatchObject({ event_name: 'call.hangup' });
    expect((await stage.sockets.api('GET', '/calls')).body).toMatchObject({ total: 1, data: [{ id: call_id }] });
    await stage.sockets.api('DELETE', `/calls/${call_id}`);
  });

  it('leaves the scripts of the public network as they were', async () => {
    await stage.sockets.control('PUT', '/trunk/+442079461234', { behaviour: 'decline' });
    await stage.trigger('call.failed', { to: '+442079461234' });
    await stage.trigger('call.failed', { to: '+442079461235' });
    const { body } = await stage.sockets.control('GET', '/trunk');
    expect(body).toMatchObject({ data: [{ number: '+442079461234', behaviour: { on_call: 'decline' } }], total: 1 });
  });
});

describe('what cannot be triggered', () => {
  let stage: TriggerStage;
  beforeAll(async () => {
    stage = await TriggerStage.open('manual');
  });
  afterAll(() => stage.close());

  it.each<[string, Partial<TriggerFlags>, string]>([
    ['call.missed', { digit: '5' }, '--digit means nothing for call.missed: it takes --from, --to, --ext, --after.'],
    ['call.failed', { to: '102' }, 'call.failed is of calls to the public network: --to expected a number'],
    ['call.failed', { from: '+442079469999' }, 'call.failed is of calls to the public network: --from expected'],
    ['call.missed', { from: '101', to: '+442079469999' }, 'call.missed is of calls to users'],
    ['call.ringing', { to: '12' }, '--to 12: expected the extension of a simulated phone, or a public number'],
    ['call.ringing', { to: '101', ext: '102' }, 'Both --to and --ext name the called party'],
    ['call.ringing', { from: '101', to: '101' }, 'The phone 101 cannot call itself'],
    ['call.ringing', { from: '+442079460102' }, 'nobody calls from outside with a number of ours'],
    ['call.ringing', { to: '+442079469998' }, 'Nobody of ours is in a call from +442079469999 to +442079469998'],
    ['sms.received', { to: '+442079469999' }, 'expected a number of the customer'],
  ])('%s with %j is refused in one sentence', async (event, overrides, sentence) => {
    await expect(stage.trigger(event, overrides)).rejects.toThrow(sentence);
    expect((await stage.sockets.api('GET', '/calls')).body).toMatchObject({ total: 0 });
  });

  it('does not disturb a phone that is in a call', async () => {
    const { call_id } = await stage.trigger('call.connected', { ext: '103', keep: true });
    await expect(stage.trigger('call.hold', { ext: '103' })).rejects.toThrow('The phone 103 is in a call');
    await stage.sockets.api('DELETE', `/calls/${call_id}`);
  });

  it('says that a call took another end', async () => {
    await expect(stage.trigger('call.connected', { from: '102', to: '+442079460006', after: 600_000 })).rejects.toThrow(
      /^Call \d+ ended with call\.failed \(No answer\) before it had call\.connected\.$/,
    );
    expect((await stage.sockets.control('GET', '/trunk')).body).toMatchObject({ total: 0 });
  });

  it('waits no longer than it is told', async () => {
    await stage.sockets.control('POST', '/faults', {
      match: { at: 'sip', method: 'INFO', direction: 'in' },
      action: { do: 'drop' },
    });
    await expect(stage.trigger('call.dtmf', { timeout: 3000 })).rejects.toThrow(
      /^call\.dtmf did not come within 3 s in call \d+\.$/,
    );
    expect((await stage.sockets.api('GET', '/calls')).body).toMatchObject({ total: 0 });
  });

  it('asks for a phone that is there', async () => {
    await stage.sockets.control('POST', '/phones/105/acts', { act: 'unregister' });
    await expect(stage.trigger('call.ringing', { ext: '105' })).rejects.toThrow('The phone 105 is not registered');
  });

  it('needs a simulator', async () => {
    await expect(stage.trigger('call.missed', { control: 'http://127.0.0.1:1/_sim' })).rejects.toThrow(
      'No simulator answers at http://127.0.0.1:1 (connection refused): start one with pbxsim serve',
    );
    await expect(stage.trigger('call.missed', { control: `${stage.sockets.root}/v1.1` })).rejects.toThrow(
      /answered 404: is that a control API\?/,
    );
  });
});

describe('the command', () => {
  it('lists the events when it is given none, each of the specification among them', async () => {
    const { status, stdout, stderr } = await run(['trigger']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(`${eventList()}\n`);
    expect(
      stdout
        .split('\n')
        .map((line) => line.split(' ')[0])
        .filter(Boolean),
    ).toEqual([...NAMES]);
  });

  it('lists them too when it is given an unknown one, with status 2', async () => {
    const { status, stdout, stderr } = await run(['trigger', 'call.mised']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(`pbxsim: There is no event call.mised; there are:\n${eventList()}\n`);
  });

  it('prints the event, for people and for programs', async () => {
    const stage = await TriggerStage.open('manual');
    const control = ['--control', `${stage.sockets.root}/_sim`];
    const told = await run(['trigger', 'call.missed', '--ext', '102', '--after', '3s', ...control]);
    expect(told).toMatchObject({ status: 0, stderr: '' });
    const [title, ...json] = told.stdout.split('\n');
    expect(title).toBe('call.missed, call 10000001'.replace('10000001', String(JSON.parse(json.join('\n')).call_id)));
    expect(JSON.parse(json.join('\n'))).toMatchObject({ event_name: 'call.missed', dst: '102', duration: 3 });
    const piped = await run(['trigger', 'call.dtmf', '--digit', '7', '--json', ...control]);
    expect(piped).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ call_id: expect.any(Number), event: { digit: '7' } });
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(1);
    const refused = await run(['trigger', 'call.dtmf', '--digit', '77', ...control]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('expected one key of 0-9, *, #, A-D.');
    await stage.close();
  });
});
