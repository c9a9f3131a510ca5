// Web calls: a number is rung, then another one. Knows no signalling.
import type { CreateWebcallBody } from '../../contract/resources/calls.ts';
import { all, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome, one } from '../request.ts';

function listWebcalls(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'webcalls', store.webcalls, all);
  return page.ok ? many(page.value) : page;
}

/** One web call has no path of its own: the link leads to them all. */
function createWebcall({ caller, body, root }: ApiRequest<CreateWebcallBody>, { exchange }: ApiDeps): Outcome {
  const { customerId, user } = caller;
  const webcall = exchange.webCall({ customerId, userId: user.id, from: body.from, to: body.to });
  return webcall.ok ? one(webcall.value, { webcalls: `${root}/webcalls` }) : webcall;
}

export const webcallHandlers = { listWebcalls, createWebcall };
