// PATCH /calls/{id}: transfers, and orders to phones (NOTIFY Event: talk and hold). The state moves only when the phone obeys.

import type { LiveCall } from '../contract/resources/calls.ts';
import { failure, success } from '../kernel/errors.ts';
import type { Call } from './call.ts';
import { liveCallRecord } from './call-record.ts';
import { NORMAL_CLEARING } from './causes.ts';
import type { CallChanges, Done } from './face.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';

/** How long a phone may take to obey an order. */
export const ORDER_PATIENCE_MS = 4000;

type Answered = (refused: string | undefined) => void;

/** Makes the changes in order (dst, state, recording, annotations) and tells once how it ended; what is refused changes nothing. */
export function changeCall(
  board: Switchboard,
  call: Call,
  byUserId: number,
  changes: CallChanges,
  done: Done<LiveCall>,
): void {
  const { dst, state } = changes;
  if (dst !== undefined) {
    const refused = redirect(call.conversation, byUserId, dst);
    if (refused !== undefined) return done(failure('invalid', refused, [`dst: ${refused}`]));
  }
  changeState(board, call.conversation, byUserId, state, (refused) => {
    if (refused !== undefined) return done(failure('invalid', refused, [`state: ${refused}`]));
    const { recording } = changes;
    const recorded = recording && board.recorder.order(call.conversation, byUserId, recording);
    if (recorded?.ok === false) return done(recorded);
    annotate(board, call, changes);
    done(success(liveCallRecord(call, board.clock.now())));
  });
}

function redirect(call: Call, byUserId: number, dst: string): string | undefined {
  if (!call.isAnswered) {
    const why = call.queueState === '' ? `this one is ${call.phase}` : 'this caller waits in a queue';
    return `only an answered call can be transferred; ${why}`;
  }
  if (call.transfer === undefined) return 'this call is being transferred already';
  const answer = call.transfer(dst, legOf(call, byUserId));
  return answer.accepted ? undefined : answer.refused;
}

function changeState(
  board: Switchboard,
  call: Call,
  byUserId: number,
  state: string | undefined,
  done: Answered,
): void {
  switch (state) {
    case undefined:
      return done(undefined);
    case 'HANGUP':
      call.hangUp(NORMAL_CLEARING);
      return done(undefined);
    case 'CONNECTED':
      return answerOrResume(board, call, byUserId, done);
    case 'ON_HOLD':
      return hold(board, call, byUserId, done);
    default:
      return done(`expected CONNECTED, ON_HOLD or HANGUP, got ${state}`);
  }
}

function answerOrResume(board: Switchboard, call: Call, byUserId: number, done: Answered): void {
  if (call.phase === 'CONNECTED') return done(undefined);
  if (call.phase === 'ON_HOLD') {
    const own = legOf(call, byUserId);
    const holder =
      own !== undefined && call.holders.has(own) ? own : [...call.holders].find((leg) => leg.party.kind === 'user');
    if (holder === undefined) return done('the call is held by the other party, which only it can end');
    return order(board, call, holder, 'talk', () => !call.holders.has(holder), done);
  }
  const ringing = call.ringing();
  const leg = ringing.find((one) => one.party.userId === byUserId) ?? ringing.find((one) => one.party.kind === 'user');
  if (leg === undefined) return done('no phone of a user is ringing that could be told to answer');
  order(board, call, leg, 'talk', () => leg.session.state === 'answered' || leg.session.state === 'confirmed', done);
}

function hold(board: Switchboard, call: Call, byUserId: number, done: Answered): void {
  if (call.phase !== 'CONNECTED' && call.phase !== 'ON_HOLD')
    return done(`only an answered call can be held; this one is ${call.phase}`);
  const leg = legOf(call, byUserId) ?? call.legs().find((one) => one.party.kind === 'user');
  if (leg === undefined) return done('no user is party to the call');
  if (call.holders.has(leg)) return done(undefined);
  order(board, call, leg, 'hold', () => call.holders.has(leg), done);
}

/** The leg of that user, if it is party to the call. */
function legOf(call: Call, userId: number): Leg | undefined {
  return call.legs().find((leg) => leg.party.userId === userId);
}

/** Sends the order and waits, at most four seconds, until the phone has answered it and done it. */
function order(
  board: Switchboard,
  call: Call,
  leg: Leg,
  event: 'talk' | 'hold',
  isDone: () => boolean,
  done: Answered,
): void {
  let open = true;
  let obeyed = false;
  const finish = (refused: string | undefined): void => {
    if (!open) return;
    open = false;
    timer.cancel();
    unwatch();
    done(refused);
  };
  const check = (): void => {
    if (call.isOver) finish('the call ended before the phone did what it was told');
    else if (obeyed && isDone()) finish(undefined);
  };
  const unwatch = board.calls.watch(call, check);
  const silence = (): void =>
    finish(obeyed ? `the phone accepted ${event} and did not do it within 4 s` : 'the phone did not answer within 4 s');
  const timer = board.clock.after(ORDER_PATIENCE_MS, `order to the phone of call ${call.id}`, silence);
  const headers = [
    ['Event', event],
    ['Subscription-State', 'active'],
  ] as const;
  leg.session.request('NOTIFY', { headers }, ({ status, reason }) => {
    if (status >= 300) return finish(`the phone answered ${status} ${reason}`);
    obeyed = true;
    check();
  });
}

function annotate(board: Switchboard, call: Call, { labels, actionUrl, actionText }: CallChanges): void {
  if (labels === undefined && actionUrl === undefined && actionText === undefined) return;
  if (labels !== undefined) call.annotations.labels = labels;
  if (actionUrl !== undefined) call.annotations.actionUrl = actionUrl;
  if (actionText !== undefined) call.annotations.actionText = actionText;
  board.journal.append('call.annotated', {
    callId: call.id,
    customerId: call.customerId,
    data: {
      labels: call.annotations.labels.map(String),
      action_url: call.annotations.actionUrl,
      action_text: call.annotations.actionText,
    },
  });
}
