// The clock over HTTP: where it stands and how it is moved. Knows no timer.
import { array, string } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { isoText } from '../../kernel/time.ts';
import { clockMovesOf, type Move } from '../clock-moves.ts';
import type { ControlDeps } from '../deps.ts';
import { type ControlRow, row } from '../row.ts';
import { members, shape, shapes } from '../shapes.ts';

const MoveBody = members({ advance: string({ description: '250ms, 5s, 15m, 2h, 1d' }), to: string() }, []);

export const clockRows: readonly ControlRow[] = [
  row({
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Where the clock stands, what is under way and which timer is next.',
    success: 200,
    answer: shape('Clock'),
    errors: [],
    handle: (_input, { clock }) => success(clockView(clock)),
  }),
  row({
    id: 'moveClock',
    method: 'POST',
    path: '/clock',
    summary: 'Move the clock by a duration, to a time, to the next timer or until idle; answers when all is quiet.',
    body: MoveBody,
    success: 200,
    answer: { ...shapes.Clock, properties: { ...shapes.Clock.properties, fired: array(string()) } },
    errors: [400, 409],
    handle: async ({ body }, deps) => {
      const move = moveOf(body);
      if (!move.ok) return move;
      const moved = await clockMovesOf(deps.clock, deps.host).move(move.value);
      return moved.ok ? success({ ...clockView(deps.clock), fired: moved.value }) : moved;
    },
  }),
];

function moveOf({ advance, to }: { advance?: string; to?: string }): Result<Move> {
  if (advance !== undefined && to === undefined) return success({ advance });
  if (to !== undefined && advance === undefined) return success({ to });
  return failure('invalid', 'The clock was not moved.', ['body: expected either advance or to']);
}

function clockView(clock: ControlDeps['clock']): object {
  const { mode, busy, next } = clock;
  return {
    now: isoText(clock.now()),
    mode,
    busy,
    next: next === null ? null : { at: isoText(next.at), name: next.name },
  };
}
