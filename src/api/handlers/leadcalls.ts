// Lead calls: an agent is rung and hears what is to be said, then the lead is rung (CHOICE-LEAD-CALLS). Knows no signalling.
import type { CreateLeadCallBody } from '../../contract/resources/calls.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { shown } from './calls.ts';

function createLeadCall(request: ApiRequest<CreateLeadCallBody>, { exchange }: ApiDeps): Outcome {
  const { caller, body } = request;
  const { customerId, user } = caller;
  const parties = { to: body.to, callerId: body.caller_id };
  const spoken = body.tts === undefined || body.tts.trim() === '' ? {} : { spoken: body.tts.trim() };
  const call = exchange.leadCall({ customerId, userId: user.id, ...parties, ...spoken });
  return call.ok ? shown(request, call.value) : call;
}

export const leadCallHandlers = { createLeadCall };
