// Callers who are held, sent on and parked. Knows no group and no menu.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of behaviours, which are never awaited
import {
  type Begun,
  between,
  called,
  callIn,
  callOut,
  type DeskLine,
  freeLine,
  next,
  PATIENCE_MS,
  picksUp,
  type Scene,
  type Stage,
} from './stage.ts';
import type { Desk } from './town.ts';

/** How long a user takes to dial on. */
const DIALS_MS = 1_000;

export const transfers = {
  hold: (stage) => {
    const [onHold, after] = [between(stage, 3_000, 15_000), stage.talkMs()];
    return holding(stage, freeLine(stage), onHold + after, ({ desk }, call, heldAtMs) =>
      stage.later(heldAtMs + onHold, `user ${desk.ext} resumes`, () =>
        stage.ports.phones.act(stage.town.customerId, desk.ext, { act: 'resume' }, call.from),
      ),
    );
  },
  /** Without a word to the colleague. */
  transfer: (stage) => sentOn(stage, (to) => next(stage, to, picksUp(stage))),
  /** The colleague is busy, and the caller comes back. */
  transferRefused: (stage) => sentOn(stage, (to) => next(stage, to, { on_call: 'busy' })),
  /** The colleague is asked first. */
  transferAsked: (stage) => consulting(stage, { after_ms: between(stage, 1_500, 4_000) }),
  /** The user does not wait until the colleague answers. */
  transferRinging: (stage) => consulting(stage, { after_ms: between(stage, 5_000, 9_000), joinsAfterMs: 2_500 }),
  /** The user has an application do it. */
  transferByCommand: (stage) => {
    const line = freeLine(stage);
    const to = stage.town.freeDesk(line?.desk);
    if (line === undefined || to === undefined) return undefined;
    const answer = picksUp(stage);
    next(stage, line.desk, answer);
    next(stage, to, picksUp(stage));
    const [before, after] = [stage.talkMs(), stage.talkMs()];
    const call = called(stage, line.e164, before + after + PATIENCE_MS);
    if (call === undefined) return undefined;
    stage.later(answer.after_ms + before, `user ${line.desk.ext} has the caller sent to ${to.ext}`, () => {
      const { exchange } = stage.ports;
      const id = exchange.callIdOfDialog(call.sipCallId);
      if (id !== undefined) exchange.changeCall(id, line.desk.userId, { dst: to.ext }, () => {});
    });
    return call;
  },
  /** The caller is parked, and a colleague fetches it. */
  parked: (stage) => {
    const line = freeLine(stage);
    const colleague = stage.town.freeDesk(line?.desk);
    if (line === undefined || colleague === undefined) return undefined;
    const answer = picksUp(stage);
    const [before, waits, after] = [stage.talkMs(), between(stage, 4_000, 20_000), stage.talkMs()];
    next(stage, line.desk, { ...answer, talk_ms: before, then: 'transfer', to: '*68' });
    const call = called(stage, line.e164, before + waits + after);
    if (call === undefined) return undefined;
    stage.later(answer.after_ms + before + waits, `user ${colleague.ext} fetches the caller`, () =>
      callOut(stage, colleague, `*69${line.desk.ext}`, after + PATIENCE_MS),
    );
    return call;
  },
} as const satisfies Record<string, Scene>;

/** A user answers, and after some words sends the caller to a colleague. */
function sentOn(stage: Stage, prepare: (to: Desk) => void): ReturnType<Scene> {
  const line = freeLine(stage);
  const to = stage.town.freeDesk(line?.desk);
  if (to === undefined) return undefined;
  prepare(to);
  return callIn(stage, line, (talkMs) => ({
    ...picksUp(stage),
    talk_ms: talkMs / 2,
    then: 'transfer',
    to: to.ext,
  }));
}

/** A user answers and holds the caller, who is there for so long afterwards. `then`: from when on, in ms, it is held. */
function holding(
  stage: Stage,
  line: DeskLine | undefined,
  leftMs: number,
  then: (line: DeskLine, call: Begun, heldAtMs: number) => void,
): Begun | undefined {
  if (line === undefined) return undefined;
  const answer = picksUp(stage);
  const before = stage.talkMs();
  next(stage, line.desk, { ...answer, talk_ms: before, then: 'hold' });
  const call = called(stage, line.e164, before + leftMs);
  if (call !== undefined) then(line, call, answer.after_ms + before);
  return call;
}

/** A user holds the caller, calls a colleague, and joins the two when both have spoken, or so long after it has dialled. */
function consulting(
  stage: Stage,
  { after_ms, joinsAfterMs }: { readonly after_ms: number; readonly joinsAfterMs?: number },
): ReturnType<Scene> {
  const line = freeLine(stage);
  const colleague = stage.town.freeDesk(line?.desk);
  if (colleague === undefined) return undefined;
  const joinsMs = joinsAfterMs ?? after_ms + between(stage, 1_500, 5_000);
  const left = DIALS_MS + joinsMs + after_ms + stage.talkMs();
  return holding(stage, line, left, ({ desk }, _call, heldAtMs) => {
    const { phones } = stage.ports;
    const { customerId } = stage.town;
    stage.later(heldAtMs + DIALS_MS, `user ${desk.ext} asks ${colleague.ext}`, () => {
      next(stage, colleague, { on_call: 'answer', after_ms });
      // What is joined ends with the caller; what is not, because the caller has gone, ends here.
      callOut(stage, desk, colleague.ext, joinsMs + PATIENCE_MS);
    });
    stage.later(heldAtMs + DIALS_MS + joinsMs, `user ${desk.ext} joins the two`, () =>
      phones.act(customerId, desk.ext, { act: 'join' }),
    );
  });
}
