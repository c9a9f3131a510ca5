// Snapshots over HTTP: taken, listed, gone back to. Knows nothing of what is in them.
import { type Result, success } from '../../kernel/errors.ts';
import { isoText } from '../../kernel/time.ts';
import { type ControlRow, idIn, row } from '../row.ts';
import { listOf, shape } from '../shapes.ts';
import type { SnapshotView } from '../snapshots.ts';

export const snapshotRows: readonly ControlRow[] = [
  row({
    id: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary:
      'The snapshots that are kept, oldest first. A reset leaves them, and with --data so does the end of the process.',
    success: 200,
    answer: listOf('Snapshot'),
    errors: [],
    handle: (_input, { snapshots }) => {
      const data = snapshots.list().map(shown);
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'takeSnapshot',
    method: 'POST',
    path: '/snapshots',
    summary:
      'Keep what there is now: records, ids, chance, logins, mails, webhooks with their logs, phones, scripts, faults. Live calls and registrations of external phones are no part of it.',
    success: 201,
    answer: shape('Snapshot'),
    errors: [409],
    handle: (_input, { snapshots }) => viewed(snapshots.take()),
  }),
  row({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/{id}/restore',
    summary:
      'Go back to a snapshot, as often as you like. Live calls end first; external phones register again; a manual clock goes back to the time of then.',
    success: 200,
    answer: shape('Snapshot'),
    errors: [404],
    handle: ({ path }, { snapshots }) => viewed(snapshots.restore(idIn(path.id))),
  }),
  row({
    id: 'removeSnapshot',
    method: 'DELETE',
    path: '/snapshots/{id}',
    summary: 'Forget a snapshot.',
    success: 204,
    errors: [404],
    handle: ({ path }, { snapshots }) => snapshots.remove(idIn(path.id)),
  }),
];

function viewed(result: Result<SnapshotView>): Result<object> {
  return result.ok ? success(shown(result.value)) : result;
}

function shown({ id, at }: SnapshotView): object {
  return { id, at: isoText(at) };
}
