// Calls between two people as a company has them: who picks up, who does not, who is called back. Knows no group and no menu.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of behaviours, which are never awaited
import type { Result } from '../kernel/errors.ts';
import { outsideNumber } from '../store/seed/numbers.ts';
import {
  between,
  called,
  callIn,
  callOut,
  type DeskLine,
  freeLine,
  giveUp,
  MAGIC,
  next,
  PATIENCE_MS,
  picksUp,
  type Scene,
  type Stage,
} from './stage.ts';
import type { Desk } from './town.ts';

/** The seed world's routing rule lets nobody call it. */
const BLOCKED = outsideNumber(66);
/** How long people speak to a voicemail box, greeting and all; some hang up when they hear it. */
const MESSAGE_MS = { shortest: 12_000, longest: 45_000 };
const GREETING_MS = { shortest: 2_000, longest: 5_000 };
const HANGS_UP_ON_MACHINES = 0.3;
/** So many of those whom nobody answers have called somebody with a voicemail box. */
const WITH_VOICEMAIL = 0.7;

export const calls = {
  inbound: (stage) => callIn(stage, freeLine(stage), (talk_ms) => ({ ...picksUp(stage), talk_ms, then: 'hangup' })),
  inboundEndedOutside: (stage) => callIn(stage, freeLine(stage), () => picksUp(stage)),
  missed: (stage) => leaveMessage(stage, stage.random.float() < WITH_VOICEMAIL ? boxLine(stage) : freeLine(stage)),
  givenUp: (stage) => {
    const line = freeLine(stage);
    if (line === undefined) return undefined;
    next(stage, line.desk, { on_call: 'ring' });
    return giveUp(stage, line.e164, between(stage, 3_000, 12_000));
  },
  busy: (stage) => callIn(stage, freeLine(stage), () => ({ on_call: 'busy' })),
  declined: (stage) =>
    callIn(stage, freeLine(stage), () => ({ on_call: 'decline', after_ms: between(stage, 800, 4_000) })),
  /** The phone itself sends the caller to another one (302). */
  redirected: (stage) => {
    const line = freeLine(stage);
    const to = stage.town.freeDesk(line?.desk);
    if (to === undefined) return undefined;
    next(stage, to, picksUp(stage));
    return callIn(stage, line, () => ({ on_call: 'redirect', to: to.ext }));
  },
  followMe: (stage) => {
    const desk = stage.town.freeDeskWhere(
      ({ fm, fm_allowed, fm_targets }) => fm && fm_allowed && fm_targets.length > 0,
    );
    const line = desk && stage.town.lineOf(desk);
    return callIn(stage, desk && line && { ...line, desk }, () => ({ on_call: 'ring' }));
  },
  /** A colleague of the same pickup group answers the phone that rings. */
  pickedUp: (stage) => {
    const { users } = stage.ports.store;
    const line = freeLine(stage);
    if (line === undefined) return undefined;
    const group = users.get(line.desk.userId)?.pickup_group_id ?? 0;
    const colleague = stage.town.freeDeskWhere(({ pickup_group_id }) => pickup_group_id === group, line.desk);
    if (group === 0 || colleague === undefined) return undefined;
    next(stage, line.desk, { on_call: 'ring' });
    const talkMs = stage.talkMs();
    const call = called(stage, line.e164, talkMs);
    const code = stage.random.float() < 0.5 ? '*8' : `**${line.desk.ext}`;
    if (call !== undefined)
      stage.later(between(stage, 3_000, 8_000), `user ${colleague.ext} picks up`, () =>
        callOut(stage, colleague, code, talkMs + PATIENCE_MS),
      );
    return call;
  },
  /** A visitor of an advertisement calls the number that is on it. */
  campaign: (stage) => {
    const line = stage.town.campaignLine();
    const desk = stage.town.freeDeskWhere(({ id }) => id === line?.targetId);
    if (desk === undefined || line === undefined) return undefined;
    return callIn(stage, { ...line, desk }, (talk_ms) => ({ ...picksUp(stage), talk_ms, then: 'hangup' }));
  },
  internal: (stage) => {
    const caller = stage.town.freeDesk();
    const callee = stage.town.freeDesk(caller);
    if (caller === undefined || callee === undefined) return undefined;
    const talk_ms = stage.talkMs();
    const answer = { ...picksUp(stage), talk_ms, then: 'hangup' } as const;
    next(stage, callee, answer);
    return callOut(stage, caller, callee.ext, answer.after_ms + talk_ms + PATIENCE_MS);
  },
  outbound: (stage) => callOut(stage, stage.town.freeDesk(), stage.town.outsider(), 2_000 + stage.talkMs()),
  outboundBusy: (stage) => callOut(stage, stage.town.freeDesk(), MAGIC.busy, PATIENCE_MS),
  outboundUnanswered: (stage) => callOut(stage, stage.town.freeDesk(), MAGIC.noAnswer, between(stage, 15_000, 40_000)),
  outboundFailed: (stage) =>
    callOut(stage, stage.town.freeDesk(), stage.random.pick([MAGIC.unavailable, MAGIC.unknown, BLOCKED]), PATIENCE_MS),
  /** A user has an application call somebody: its own phone rings first. */
  clickToCall: (stage) =>
    byCommand(stage, (desk, to) => {
      const { customerId } = stage.town;
      return stage.ports.exchange.clickToCall({ customerId, userId: desk.userId, to });
    }),
  webCall: (stage) =>
    byCommand(stage, (desk, to) => {
      const { customerId } = stage.town;
      return stage.ports.exchange.webCall({ customerId, userId: desk.userId, from: desk.ext, to });
    }),
  leadCall: (stage) =>
    byCommand(stage, (desk, callerId) => {
      const { customerId } = stage.town;
      const lead = { customerId, userId: desk.userId, to: desk.ext, callerId, spoken: 'A new lead.' };
      return stage.ports.exchange.leadCall(lead);
    }),
  /** The user records what is said, and leaves a number that nobody needs to hear out of it. */
  recorded: (stage) => {
    const line = freeLine(stage);
    if (line === undefined) return undefined;
    const answer = picksUp(stage);
    const call = callIn(stage, line, (talk_ms) => ({ ...answer, talk_ms: talk_ms + 4_000, then: 'hangup' }));
    if (call === undefined) return undefined;
    const order = (delayMs: number, recording: 'start' | 'pause' | 'resume'): void =>
      stage.later(answer.after_ms + delayMs, `user ${line.desk.ext}: ${recording} recording`, () => {
        const { exchange } = stage.ports;
        const id = exchange.callIdOfDialog(call.sipCallId);
        if (id !== undefined) exchange.changeCall(id, line.desk.userId, { recording }, () => {});
      });
    order(500, 'start');
    order(1_500, 'pause');
    order(2_500, 'resume');
    return call;
  },
} as const satisfies Record<string, Scene>;

/** A user who is free and has a number and a voicemail box. */
function boxLine({ town }: Stage): DeskLine | undefined {
  const desk = town.freeDeskWhere(({ final_dst_type, fm }) => final_dst_type === 'V' && !fm);
  const line = desk && town.lineOf(desk);
  return desk && line && { ...line, desk };
}

/** Nobody answers, and most callers leave a message where there is a voicemail box. */
function leaveMessage(stage: Stage, line: DeskLine | undefined): ReturnType<Scene> {
  if (line === undefined) return undefined;
  next(stage, line.desk, { on_call: 'ring' });
  const { shortest, longest } = stage.random.float() < HANGS_UP_ON_MACHINES ? GREETING_MS : MESSAGE_MS;
  return called(stage, line.e164, between(stage, shortest, longest));
}

/** The user picks up its own phone, talks to somebody outside, and hangs up. */
function byCommand(stage: Stage, place: (desk: Desk, to: string) => Result<unknown>): ReturnType<Scene> {
  const desk = stage.town.freeDesk();
  if (desk === undefined) return undefined;
  const who = { from: desk.ext, to: stage.town.outsider() };
  next(stage, desk, { ...picksUp(stage), talk_ms: PATIENCE_MS + stage.talkMs(), then: 'hangup' });
  const begun = stage.begin(who, () => place(desk, who.to));
  return begun === undefined ? undefined : who;
}
