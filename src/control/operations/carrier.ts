// The carrier's side of the network: calls that arrive, whom outbound calls reach, what outside parties do. Knows no SIP message.
import { array, integer, record, string } from '../../contract/schema.ts';
import { failure, success } from '../../kernel/errors.ts';
import { parseAct } from '../../phones/acts.ts';
import { parseBehaviour } from '../../phones/behaviour.ts';
import { type ControlRow, row } from '../row.ts';
import { members, shape } from '../shapes.ts';
import { afterAct, startedCall } from '../started-call.ts';

const behaviour = shape('Behaviour');

export const carrierRows: readonly ControlRow[] = [
  row({
    id: 'callIn',
    method: 'POST',
    path: '/calls',
    summary: 'A call arrives from the public network. The behaviour is the caller’s, once it is answered.',
    body: members(
      {
        from: string({ pattern: '^(\\+?[0-9]{3,15}|anonymous)$', description: 'a public number, or anonymous' }),
        to: publicNumber(),
        behaviour,
      },
      ['from', 'to'],
    ),
    success: 201,
    answer: record({ call_id: integer() }),
    errors: [400, 404, 409],
    handle: ({ body }, deps) => {
      const parsed = body.behaviour === undefined ? undefined : parseBehaviour(body.behaviour);
      if (parsed?.ok === false) return parsed;
      const before = deps.journal.last;
      const { from, to } = body;
      const called = deps.carrier.call({ from, to, ...(parsed === undefined ? {} : { behaviour: parsed.value }) });
      if (!called.ok) return called;
      deps.clock.settle();
      return startedCall(deps, before, called.value.sipCallId, 'not_found');
    },
  }),
  row({
    id: 'listTrunk',
    method: 'GET',
    path: '/trunk',
    summary: 'The scripted numbers of the public network.',
    success: 200,
    answer: record({ data: array(record({ number: string(), behaviour })), total: integer() }),
    errors: [],
    handle: (_input, { carrier }) => {
      const data = carrier.scripts();
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'scriptTrunk',
    method: 'PUT',
    path: '/trunk/{number}',
    summary: 'Say what an outbound call to this number reaches.',
    body: members({ behaviour }, ['behaviour']),
    success: 200,
    answer: record({ number: string(), behaviour }),
    errors: [400, 409],
    handle: ({ path, body }, { carrier }) => {
      const parsed = parseBehaviour(body.behaviour);
      return parsed.ok ? carrier.script(path.number ?? '', parsed.value) : parsed;
    },
  }),
  row({
    id: 'unscriptTrunk',
    method: 'DELETE',
    path: '/trunk/{number}',
    summary: 'Forget the script: the number behaves as numbers do by default.',
    success: 204,
    errors: [404],
    handle: ({ path }, { carrier }) =>
      carrier.unscript(path.number ?? '')
        ? success(undefined)
        : failure('not_found', `The number ${path.number} has no script.`),
  }),
  row({
    id: 'actOutside',
    method: 'POST',
    path: '/trunk/{number}/acts',
    summary: 'Do what the outside party of a live call does: hang up, hold, press keys, answer.',
    body: shape('Act'),
    success: 200,
    answer: members({ call_id: integer() }, []),
    errors: [400, 404, 409],
    handle: ({ path, body }, deps) => {
      const act = parseAct(body);
      return act.ok ? afterAct(deps, deps.carrier.act(path.number ?? '', act.value)) : act;
    },
  }),
];

function publicNumber() {
  return string({ pattern: '^\\+?[0-9]{3,15}$', description: 'a public number, with or without +' });
}
