// The surroundings of the sip.js tests: a simulator with a webhook on everything, a sip.js phone at the first user's extension, and the check that all accounts of a call agree.
import { expect } from 'vitest';
import { SipjsPhone } from './sipjs-phone.ts';
import { type Facts, SocketStage, WebhookInbox } from './sockets-stage.ts';

export class SipjsStory {
  readonly stage: SocketStage;
  readonly inbox: WebhookInbox;
  readonly phone: SipjsPhone;

  private constructor(stage: SocketStage, inbox: WebhookInbox, phone: SipjsPhone) {
    this.stage = stage;
    this.inbox = inbox;
    this.phone = phone;
  }

  /** Handsets 102 and 103 answer at once; the sip.js phone is connected and not registered. */
  static async begin(): Promise<SipjsStory> {
    const stage = await SocketStage.open({ allowHttpWebhooks: true });
    const inbox = await WebhookInbox.open();
    await stage.hear(inbox);
    await stage.behave('102', { on_call: 'answer', after_ms: 50 });
    await stage.behave('103', { on_call: 'answer', after_ms: 50 });
    const phone = new SipjsPhone(stage.user(0), stage.sip);
    await phone.connect();
    return new SipjsStory(stage, inbox, phone);
  }

  async end(): Promise<void> {
    await this.phone.close();
    const { violations } = this.stage.simulator.world;
    await this.stage.close();
    await this.inbox.close();
    expect(violations).toEqual([]);
  }

  /** Webhooks, journal and CDR tell the same call. Resolves with its CDR. */
  async expectOne(callId: number, names: readonly string[], cdr: Facts): Promise<Facts> {
    const { stage } = this;
    await stage.callOver(callId);
    const hooks = (await this.inbox.ofCall(callId, names.at(-1) ?? '')).filter(isState);
    expect(hooks.map((hook) => hook.event_name)).toEqual(names);
    expect(stage.eventNames(callId).filter((name) => name !== 'call.dtmf')).toEqual(names);
    expect(new Set(hooks.map((hook) => hook.id)).size).toBe(names.length);
    expect(new Set(hooks.map((hook) => hook.src_hash)).size).toBe(1);
    const record = await stage.cdr(callId);
    expect(record).toMatchObject({ live_id: callId, ...cdr });
    expect(hooks.at(-1)).toMatchObject({
      call_id: callId,
      duration: record.duration,
      t_cause: record.t_cause,
      start_time: record.calldate,
      src: record.src,
      dst: record.dst,
    });
    expect((await stage.api('GET', `/calls/${callId}`)).status).toBe(404);
    return record;
  }
}

const isState = (hook: Facts): boolean => hook.event_name !== 'call.dtmf';
