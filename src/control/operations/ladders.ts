// The ladder of a call, as text for people and as JSON for programs. Knows no SIP message.
import { array, integer, record, string, word } from '../../contract/schema.ts';
import { success } from '../../kernel/errors.ts';
import { ladderOf } from '../../media/ladder.ts';
import { ladderJson, ladderText } from '../../media/ladder-text.ts';
import { type ControlRow, idIn, PlainText, row } from '../row.ts';
import { query } from '../shapes.ts';

const time = string({ description: 'ISO 8601, UTC' });
const column = string({ description: 'the id of a column' });

export const ladderRows: readonly ControlRow[] = [
  row({
    id: 'readLadder',
    method: 'GET',
    path: '/calls/{call_id}/ladder',
    summary: 'Who said what to whom in a call that lives or is over: SIP of every leg, REST requests, webhook POSTs.',
    query: query({ form: word(['text', 'json']) }),
    success: 200,
    answer: record({
      call_id: integer(),
      started_at: time,
      src: string(),
      dst: string(),
      cause: string({ description: 'why it ended; empty while it lives' }),
      left_out: integer({ description: 'entries that were not kept' }),
      columns: array(record({ id: string(), title: string() })),
      rows: array(
        record({
          no: integer(),
          seq: integer({ description: 'of the journal entry' }),
          at: time,
          from: column,
          to: column,
          label: string(),
          note: string(),
          message: string({ description: 'what travelled, whole; empty where nothing did' }),
          route: string(),
        }),
      ),
    }),
    alsoText: true,
    errors: [400, 404],
    handle: ({ path, query }, { traces }) => {
      const trace = traces.read(idIn(path.call_id));
      if (!trace.ok) return trace;
      const ladder = ladderOf(trace.value);
      return success(query.form === 'json' ? ladderJson(ladder) : new PlainText(ladderText(ladder)));
    },
  }),
];
