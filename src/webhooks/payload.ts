// Domain events in the words of the specification (Events). Knows no webhook and no delivery.
import type {
  CallEventPayload,
  DtmfEventPayload,
  EventName,
  SmsEventPayload,
  TestEventPayload,
} from '../contract/events.ts';
import { utcText } from '../kernel/time.ts';
import type { CallEvent, DomainEvent, DtmfEvent, SmsEvent } from '../pbx/events.ts';

export type Payload = CallEventPayload | SmsEventPayload | DtmfEventPayload | TestEventPayload;

export function eventNameOf(event: DomainEvent): EventName {
  if (event.kind === 'call') return event.name;
  return event.kind === 'sms' ? 'sms.received' : 'call.dtmf';
}

/** `LOCAL_USER` or `QUEUE`; an SMS has no context, which counts as not a queue's. */
export function contextOf(event: DomainEvent): string {
  return event.kind === 'sms' ? '' : event.context;
}

/** The body of the event's deliveries: the same for every webhook and every attempt. */
export function payloadOf(event: DomainEvent): Payload {
  if (event.kind === 'sms') return smsPayload(event);
  if (event.kind === 'call') return { ...callMembers(event), event_name: event.name };
  return { ...callMembers(event), event_name: 'call.dtmf', digit: event.digit, pressed_by: event.by };
}

/** What a URL is asked to answer before a webhook is stored (Events, configuration rule 3). */
export function testPayload(id: string, at: number, name: string, customerId: number): TestEventPayload {
  return { id, event_time: utcText(at), event_name: 'webhook.test', webhook_name: name, customer_id: customerId };
}

function callMembers(event: CallEvent | DtmfEvent): Omit<CallEventPayload, 'event_name'> {
  return {
    id: event.id,
    event_time: utcText(event.at),
    call_id: event.callId,
    state: event.state,
    connected_at: event.connectedAt === null ? null : utcText(event.connectedAt),
    start_time: utcText(event.startedAt),
    context: event.context,
    destination: event.direction,
    duration: event.durationS,
    t_cause: event.cause,
    clid: event.clid,
    src: event.src.number,
    src_id: event.src.id ?? 0,
    src_name: event.src.name,
    src_hash: event.srcHash,
    dst: event.dst.number,
    dst_id: event.dst.id ?? 0,
    dst_name: event.dst.name,
    info: event.info,
    terminated_by: event.terminatedBy ?? '',
  };
}

function smsPayload(event: SmsEvent): SmsEventPayload {
  return {
    id: event.id,
    event_time: utcText(event.at),
    event_name: 'sms.received',
    customer_id: event.customerId,
    user_id: event.userId,
    from_no: event.from,
    to_no: event.to,
    text: event.text,
  };
}
