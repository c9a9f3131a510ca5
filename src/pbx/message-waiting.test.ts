// The lamp for waiting messages as stories: which phones are told, when, of what.
import { describe, expect, it } from 'vitest';
import { codeOf, folderCodes } from '../contract/codes.ts';
import { dataOf } from '../kernel/journal.ts';
import { parseMessage } from '../sip/parse.ts';
import { changeRecord, createRecord, removeAllRecords, removeRecord } from '../store/records/record-book.ts';
import { DOMAIN, makeRig } from './exchange.rig.ts';
import { countsIn, Subscriber } from './subscriber.rig.ts';

function withBox() {
  const rig = makeRig();
  const { customerId, users } = rig.customer;
  const userId = users[0]?.user_id ?? 0;
  const ext = users[0]?.ext ?? '';
  /** What left outside any dialog: `yes 2/8 to <contact>`. */
  const told: string[] = [];
  rig.journal.subscribe((entry) => {
    if (entry.kind !== 'sip.out') return;
    const parsed = parseMessage(Buffer.from(String(dataOf(entry).text)));
    if (!parsed.ok || parsed.message.kind !== 'request' || parsed.message.method !== 'NOTIFY') return;
    const { message } = parsed;
    const inDialog = /;tag=/.test(message.headers.get('To') ?? '');
    if (!inDialog) told.push(`${countsIn(message)} to ${message.uri}`);
  });
  const ground = { store: rig.store, customerId, nowMs: rig.clock.now() };
  const leave = (folder: 'inbox' | 'old' = 'inbox') => {
    const members = {
      extension_id: userId,
      duration: 5,
      folder: codeOf(folderCodes, folder),
      is_new: folder === 'inbox',
    };
    const made = createRecord(ground, 'voicemessages', members);
    rig.pass(0);
    return made.ok ? made.value.id : 0;
  };
  return { rig, told, ground, leave, userId, ext };
}

describe('the phones of a user', () => {
  it('are told of each message that comes, is heard, is removed', () => {
    const { rig, told, ground, leave, ext } = withBox();
    rig.phone(0).register();
    rig.pass(0);
    expect(told).toEqual([]);
    const first = leave();
    leave();
    expect(told).toEqual([`yes 1/0 to sip:${ext}@${ext}.phone.example`, `yes 2/0 to sip:${ext}@${ext}.phone.example`]);
    changeRecord(ground, 'voicemessages', first, { folder: codeOf(folderCodes, 'old') });
    rig.pass(0);
    removeRecord(ground, 'voicemessages', first);
    rig.pass(0);
    removeAllRecords(ground, 'voicemessages');
    rig.pass(0);
    expect(told.slice(2).map((line) => line.split(' to ')[0])).toEqual(['yes 1/1', 'yes 1/0', 'no 0/0']);
  });

  it('are told once of what happens at once, and not of what leaves the counts as they are', () => {
    const { rig, told, ground, userId } = withBox();
    rig.phone(0).register();
    rig.pass(0);
    for (let count = 0; count < 5; count += 1)
      createRecord(ground, 'voicemessages', { extension_id: userId, duration: 5 });
    rig.pass(0);
    rig.store.users.update(userId, { dnd: true });
    rig.pass(0);
    expect(told.map((line) => line.split(' to ')[0])).toEqual(['yes 5/0']);
  });

  it('are told when they register while messages are there, and again when they were started again', () => {
    const { rig, told, leave, ext } = withBox();
    leave();
    leave('old');
    const desk = rig.phone(0);
    desk.register();
    rig.pass(0);
    expect(told).toEqual([`yes 1/1 to sip:${ext}@${ext}.phone.example`]);
    rig.phone(0, { device: 'mobile' }).register();
    rig.pass(0);
    expect(told.slice(1)).toEqual([`yes 1/1 to sip:${ext}@mobile.phone.example`]);
    // Its REGISTER has another Call-ID: it may have forgotten everything.
    desk.register();
    rig.pass(0);
    expect(told.slice(2)).toEqual([`yes 1/1 to sip:${ext}@${ext}.phone.example`]);
    leave();
    expect(told.slice(3).map((line) => line.split(' to ')[0])).toEqual(['yes 2/1', 'yes 2/1']);
  });

  it('are told only if they said at their registration that they take it', () => {
    const { rig, told, leave } = withBox();
    leave();
    for (const [device, ...headers] of [
      ['nothing'],
      ['calls', ['Allow', 'INVITE, ACK, BYE']],
      ['other news', ['Allow-Events', 'dialog, refer']],
      ['every request', ['Allow', 'INVITE, ACK, BYE, NOTIFY']],
      ['this news', ['Allow-Events', 'dialog, message-summary']],
    ] as const)
      rig.phone(0, { device: device.replace(' ', '-') }).register(3600, headers);
    rig.pass(0);
    expect(new Set(told.map((line) => line.split('@')[1]))).toEqual(
      new Set(['every-request.phone.example', 'this-news.phone.example']),
    );
    leave();
    expect(told).toHaveLength(4);
  });

  it('that were away when the last message went are told when they are back', () => {
    const { rig, told, ground, leave } = withBox();
    leave();
    const desk = rig.phone(0);
    desk.register();
    rig.pass(0);
    desk.register(0);
    rig.pass(0);
    removeAllRecords(ground, 'voicemessages');
    rig.pass(0);
    desk.register();
    rig.pass(0);
    expect(told.map((line) => line.split(' to ')[0])).toEqual(['yes 1/0', 'no 0/0']);
  });

  it('say in the message where to listen, and that no subscription is behind it', () => {
    const { rig, leave } = withBox();
    const texts: string[] = [];
    rig.journal.subscribe((entry) => {
      if (entry.kind === 'sip.out') texts.push(String(dataOf(entry).text));
    });
    rig.phone(0).register();
    rig.pass(0);
    leave();
    const notify = texts.find((text) => text.startsWith('NOTIFY ')) ?? '';
    expect(notify).toContain('\r\nEvent: message-summary\r\n');
    expect(notify).toContain('\r\nSubscription-State: terminated;reason=noresource\r\n');
    expect(notify).toContain('\r\nContent-Type: application/simple-message-summary\r\n');
    const body = `Messages-Waiting: yes\r\nMessage-Account: sip:*97@${DOMAIN}\r\nVoice-Message: 1/0\r\n`;
    expect(notify.split('\r\n\r\n')[1]).toBe(body);
  });

  it('leave nothing behind with the user', () => {
    const { rig, leave, userId, told } = withBox();
    rig.phone(0).register();
    rig.pass(0);
    leave();
    rig.exchange.forgetUser(userId);
    rig.pass(40_000);
    expect(told).toHaveLength(1);
    expect(rig.exchange.stats).toMatchObject({ subscriptions: 0, clientTransactions: 0 });
  });
});

describe('a subscriber', () => {
  it('proves who it is, is told at once, at each change, and once more at the end (RFC 3842, 3)', () => {
    const { rig, leave, ext } = withBox();
    leave();
    const lamp = new Subscriber(rig, 0);
    lamp.subscribe(ext, 3600);
    expect(lamp.heard).toEqual(['200', 'active yes 1/0']);
    leave();
    expect(lamp.heard.slice(2)).toEqual(['active yes 2/0']);
    lamp.subscribe(ext, 0);
    expect(lamp.heard.slice(3)).toEqual(['200', 'terminated yes 2/0']);
    rig.pass(40_000);
    expect(rig.exchange.stats).toMatchObject({ subscriptions: 0, serverTransactions: 0 });
  });

  it('is told of an empty box that was not empty when it came', () => {
    const { rig, ground, leave } = withBox();
    leave();
    const lamp = new Subscriber(rig, 0);
    lamp.subscribe('*97', 3600);
    removeAllRecords(ground, 'voicemessages');
    rig.pass(0);
    expect(lamp.heard).toEqual(['200', 'active yes 1/0', 'active no 0/0']);
  });

  it('is refused the box of somebody else, and events that nobody knows', () => {
    const { rig } = withBox();
    const lamp = new Subscriber(rig, 0);
    lamp.subscribe(rig.customer.users[1]?.ext ?? '', 3600);
    lamp.subscribe('*97', 3600, 'presence');
    expect(lamp.heard).toEqual(['403', '489']);
  });

  it('whose user goes is told that there is no such box any more', () => {
    const { rig, userId } = withBox();
    const lamp = new Subscriber(rig, 0);
    lamp.subscribe('*97', 3600);
    rig.exchange.forgetUser(userId);
    rig.pass(0);
    expect(lamp.heard).toEqual(['200', 'active no 0/0', 'terminated no 0/0']);
  });
});
