// A call that the exchange sent to the public network for one of its own numbers: the network calls back in and passes
// on what either side says, descriptions untouched. Knows no phone.
import { bodyText } from '../sip/fields.ts';
import type { SipRequest, SipResponse } from '../sip/message.ts';
import type {
  Ending,
  HeaderList,
  OutgoingInvite,
  ServerRequest,
  Session,
  SessionEvents,
  UserAgent,
} from '../sip/user-agent-api.ts';

const MAX_FORWARDS = 70;

export interface LoopTarget {
  readonly uri: string;
  /** The caller as a name-addr without tag. */
  readonly from: string;
}

/** Joins `outward`, which came from the exchange, to a new call into it. Max-Forwards goes down: a circle ends with 483. */
export function loopBack(agent: UserAgent, outward: Session, invite: SipRequest, target: LoopTarget): void {
  const ends: Ends = { outward, inward: undefined };
  outward.events = eventsOf(ends, 'outward');
  const hops = Number(invite.headers.get('Max-Forwards') ?? MAX_FORWARDS);
  const offer = bodyText(invite);
  const options: OutgoingInvite = {
    uri: target.uri,
    from: target.from,
    to: `<${target.uri}>`,
    maxForwards: Math.min(MAX_FORWARDS, hops) - 1,
    ...(offer === '' ? {} : { body: offer }),
    events: {
      ...eventsOf(ends, 'inward'),
      onProvisional: (_session, response) => outward.provisional(response.status, { body: bodyText(response) }),
      onAnswered: (_session, response) => outward.accept(bodyText(response)),
    },
  };
  ends.inward = agent.invite(options);
}

interface Ends {
  readonly outward: Session;
  inward: Session | undefined;
}

/** What one end passes on to the other. */
function eventsOf(ends: Ends, own: keyof Ends): SessionEvents {
  const other = (): Session | undefined => (own === 'outward' ? ends.inward : ends.outward);
  return {
    onAck: (_session, ack) => {
      const answer = bodyText(ack);
      if (answer !== '') other()?.ack(answer);
    },
    onReinvite: (_session, request) => passOffer(request, other()),
    onRequest: (_session, request) => passRequest(request, other()),
    onEnded: (_session, ending) => passEnd(ending, other()),
  };
}

function passOffer(request: ServerRequest, to: Session | undefined): void {
  const offer = bodyText(request.request);
  to?.reinvite(offer === '' ? undefined : offer, ({ status, response }) => {
    const body = response === undefined ? '' : bodyText(response);
    request.respond(status, status < 300 && body !== '' ? { body } : {});
  });
}

function passRequest(request: ServerRequest, to: Session | undefined): void {
  const { method, headers } = request.request;
  if (method !== 'INFO' || to === undefined) {
    request.respond(501);
    return;
  }
  const contentType = headers.get('Content-Type');
  const body = bodyText(request.request);
  to.request('INFO', { body, ...(contentType === undefined ? {} : { contentType }) }, ({ status }) => {
    request.respond(status);
  });
}

function passEnd(ending: Ending, to: Session | undefined): void {
  if (to === undefined) return;
  if (ending.by !== 'failure' || to.role === 'uac') to.end();
  else to.end({ status: ending.outcome.status, headers: redirection(ending.outcome.response) });
}

function redirection(response: SipResponse | undefined): HeaderList {
  if (response === undefined || response.status >= 400) return [];
  return response.headers.all('Contact').map((contact) => ['Contact', contact] as const);
}
