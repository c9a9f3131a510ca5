// Simulated phones and what their users do. Knows no SIP message.
import { integer, string } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { parseAct } from '../../phones/acts.ts';
import { parseBehaviour } from '../../phones/behaviour.ts';
import type { NewPhone, PhoneView } from '../../phones/fleet.ts';
import { type ControlDeps, customerOf } from '../deps.ts';
import { type ControlRow, row } from '../row.ts';
import { customerId, listOf, members, query, shape } from '../shapes.ts';
import { afterAct, startedCall } from '../started-call.ts';

const ofCustomer = query({ customer_id: customerId });
const behaviour = shape('Behaviour');

export const phoneRows: readonly ControlRow[] = [
  row({
    id: 'listPhones',
    method: 'GET',
    path: '/phones',
    summary: "A customer's simulated phones.",
    query: ofCustomer,
    success: 200,
    answer: listOf('Phone'),
    errors: [],
    handle: ({ query }, deps) => {
      const data = deps.phones.list(customerOf(deps, query.customer_id));
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'addPhone',
    method: 'POST',
    path: '/phones',
    summary: "Put a phone at a user's extension; it registers.",
    query: ofCustomer,
    body: members({ ext: string({ minLength: 1, maxLength: 20 }), behaviour }, ['ext', 'behaviour']),
    success: 201,
    answer: shape('Phone'),
    errors: [400, 409],
    handle: ({ query, body }, deps) => {
      const parsed = parseBehaviour(body.behaviour);
      if (!parsed.ok) return parsed;
      const facts = lineOf(deps, customerOf(deps, query.customer_id), body.ext);
      if (!facts.ok) return facts;
      const added = deps.phones.add({ ...facts.value, behaviour: parsed.value });
      if (!added.ok) return added;
      deps.clock.settle();
      return success(deps.phones.view(facts.value.customerId, body.ext) ?? added.value);
    },
  }),
  row({
    id: 'getPhone',
    method: 'GET',
    path: '/phones/{ext}',
    summary: 'One phone: its registration, its behaviour, its calls.',
    query: ofCustomer,
    success: 200,
    answer: shape('Phone'),
    errors: [404],
    handle: ({ path, query }, deps) => phoneAt(deps, customerOf(deps, query.customer_id), path.ext ?? ''),
  }),
  row({
    id: 'changePhone',
    method: 'PATCH',
    path: '/phones/{ext}',
    summary: 'Give the phone another behaviour, for calls from now on.',
    query: ofCustomer,
    body: members({ behaviour }, ['behaviour']),
    success: 200,
    answer: shape('Phone'),
    errors: [400, 404],
    handle: ({ path, query, body }, deps) => {
      const parsed = parseBehaviour(body.behaviour);
      if (!parsed.ok) return parsed;
      return deps.phones.setBehaviour(customerOf(deps, query.customer_id), path.ext ?? '', parsed.value);
    },
  }),
  row({
    id: 'removePhone',
    method: 'DELETE',
    path: '/phones/{ext}',
    summary: 'Take the phone away: its calls are hung up and its registration is withdrawn.',
    query: ofCustomer,
    success: 204,
    errors: [404],
    handle: ({ path, query }, deps) => {
      const ext = path.ext ?? '';
      return deps.phones.remove(customerOf(deps, query.customer_id), ext) ? success(undefined) : noPhone(ext);
    },
  }),
  row({
    id: 'act',
    method: 'POST',
    path: '/phones/{ext}/acts',
    summary: 'Do what a user does at the phone. The act call answers with the call.',
    query: ofCustomer,
    body: shape('Act'),
    success: 200,
    answer: members({ call_id: integer() }, []),
    errors: [400, 404, 409],
    handle: ({ path, query, body }, deps) => {
      const act = parseAct(body);
      if (!act.ok) return act;
      const before = deps.journal.last;
      const done = deps.phones.act(customerOf(deps, query.customer_id), path.ext ?? '', act.value);
      if (!done.ok || act.value.act !== 'call') return afterAct(deps, done);
      deps.clock.settle();
      return startedCall(deps, before, done.value.sipCallId, 'conflict');
    },
  }),
];

function phoneAt(deps: ControlDeps, customer: number, ext: string): Result<PhoneView> {
  const view = deps.phones.view(customer, ext);
  return view === undefined ? noPhone(ext) : success(view);
}

function noPhone(ext: string): Result<never> {
  return failure('not_found', `No simulated phone has extension ${ext}.`);
}

/** Whose line an extension is, with what its phone needs to register. */
export function lineOf(deps: Pick<ControlDeps, 'store'>, customer: number, ext: string): Result<NewPhone> {
  const user = deps.store.users.find('ext', ext).find((one) => one.customer === customer);
  const account = user === undefined ? undefined : deps.store.accounts.get(user.id);
  if (user === undefined || account === undefined) {
    return failure('invalid', 'The phone was not added.', [`ext: no user of the customer has extension ${ext}`]);
  }
  const { sipUsername, sipPassword } = account;
  const displayName = `${user.first_name} ${user.last_name}`.trim();
  return success({ customerId: customer, userId: user.id, ext, sipUsername, sipPassword, displayName });
}
