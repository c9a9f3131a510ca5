// Lead calls: an agent is rung, then the lead (CHOICE-LEAD-CALLS). Knows no signalling.
import type { CreateLeadCallBody } from '../../contract/resources/calls.ts';
import { failure } from '../../kernel/errors.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { shown } from './calls.ts';

function createLeadCall(request: ApiRequest<CreateLeadCallBody>, { exchange }: ApiDeps): Outcome {
  const { caller, body } = request;
  if (body.tts !== undefined && body.tts !== '')
    return failure('invalid', 'The call cannot be placed.', ['tts: spoken text is not built in this release']);
  const { customerId, user } = caller;
  const call = exchange.leadCall({ customerId, userId: user.id, to: body.to, callerId: body.caller_id });
  return call.ok ? shown(request, call.value) : call;
}

export const leadCallHandlers = { createLeadCall };
