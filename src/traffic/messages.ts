// What comes and goes besides calls of people: faxes, text messages, visitors of websites. Knows no voice.
import type { Random } from '../kernel/random.ts';
import { between, MAGIC, PATIENCE_MS, type Scene, type Stage } from './stage.ts';

/** Of what is sent. */
const WRONG_NUMBERS = 0.08;

const TEXTS = ['See you at ten.', 'Could you call me back?', 'Your parcel has arrived.', 'Thank you!'] as const;

const QUESTIONS = ['Do you deliver on Saturdays?', 'Is it in stock?', 'Where is my order?'] as const;

export const messages = {
  faxIn: (stage) => {
    const { ports, town, random } = stage;
    const to = town.faxLine();
    if (to === undefined) return undefined;
    const who = { from: town.outsider(), to };
    const behaviour = { on_call: 'answer', talk_ms: faxMs(random) } as const;
    return stage.begin(who, () => ports.carrier.call({ ...who, behaviour, isFax: true })) && who;
  },
  faxOut: (stage) => {
    const { ports, town, random } = stage;
    const from = town.faxLine();
    if (from === undefined) return undefined;
    const who = { from, to: receiverOf(stage) };
    const fax = { ...who, customerId: town.customerId, pages: 1 + random.int(3) };
    return stage.begin(who, () => ports.exchange.sendFax(fax)) && who;
  },
  callMeBack: (stage) => {
    const { ports, town } = stage;
    const [setting] = ports.store.callmebacksettings.list(town.customerId);
    if (setting === undefined) return undefined;
    const who = { from: town.outsider(), to: setting.name };
    const wish = { settingId: setting.id, number: who.from, country: 'GB' };
    const asked = stage.begin(who, () => ports.exchange.widgets.ask(wish));
    if (asked === undefined) return undefined;
    // Whatever becomes of the call, its caller's dialog stays the same.
    const leg = asked.callId === null ? undefined : ports.exchange.liveCall(asked.callId)?.record.src_call_id;
    if (leg !== undefined)
      stage.later(PATIENCE_MS * 2 + stage.talkMs(), 'visitor hangs up', () =>
        ports.carrier.act(leg, { act: 'hangup' }),
      );
    return who;
  },
  chat: (stage) => {
    const { ports, town, random } = stage;
    const operator = town.freeDesk();
    if (operator === undefined) return undefined;
    const { chats } = ports.exchange;
    const who = { from: 'visitor', to: operator.ext };
    const begun = stage.begin(who, () => chats.begin({ customerId: town.customerId, message: random.pick(QUESTIONS) }));
    if (begun === undefined) return undefined;
    stage.later(between(stage, 5_000, 30_000), 'operator answers', () =>
      chats.write(begun.id, 'Good day! Let me see.', operator.userId),
    );
    stage.later(between(stage, 31_000, 59_000), 'visitor thanks', () => chats.write(begun.id, 'Thank you.'));
    stage.later(between(stage, 60_000, 300_000), 'chat ends', () => chats.close(begun.id));
    return who;
  },
  smsIn: (stage) => {
    const { ports, town, random } = stage;
    const line = town.line('U');
    if (line === undefined) return undefined;
    const who = { from: town.outsider(), to: line.e164 };
    const text = random.pick(TEXTS);
    return stage.begin(who, () => ports.exchange.receiveSms(who.from, who.to, text)) && who;
  },
  smsOut: (stage) => {
    const { ports, town, random } = stage;
    const line = town.line('U');
    if (line === undefined) return undefined;
    const who = { from: line.e164, to: receiverOf(stage) };
    const sms = { ...who, customerId: town.customerId, userId: line.targetId, text: random.pick(TEXTS) };
    return stage.begin(who, () => ports.exchange.sendSms(sms)) && who;
  },
} as const satisfies Record<string, Scene>;

/** Mostly somebody; now and then a number that nobody has. */
function receiverOf({ town, random }: Stage): string {
  return random.float() < WRONG_NUMBERS ? MAGIC.unknown : town.outsider();
}

/** As long as one to three pages take. */
function faxMs(random: Random): number {
  return 11_000 + (1 + random.int(3)) * 30_000;
}
