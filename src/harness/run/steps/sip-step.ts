// A step about SIP messages at a phone: how many of a kind there were. Knows messages only as phones show them.
import type { PhoneMessage } from '../../drivers/phone-driver.ts';
import { headerOf } from '../../drivers/sip-reading.ts';
import type { SipStep } from '../../language/document.ts';
import { differences } from '../../matching.ts';
import type { Difference } from '../difference.ts';
import { boundsOf, times } from '../event-check.ts';
import type { Seen } from '../scenario-time.ts';
import type { Stage } from '../stage.ts';
import { never, not, outcomeOf, patienceOf, type StepOutcome, so } from './outcome.ts';

export async function runSip(step: SipStep, stage: Stage): Promise<StepOutcome> {
  const phone = stage.phones.get(step.sip)?.phone;
  if (phone === undefined) return { expected: `a phone ${step.sip}`, actual: 'there is none' };
  const look = async () => judgeMessages(step, await phone.messages());
  return outcomeOf(await stage.time.until(look, patienceOf(step.within, step.quiet)));
}

/** Retransmissions count once: they are the same text on the way. */
export function judgeMessages(step: SipStep, messages: readonly PhoneMessage[]): Seen<undefined, Difference> {
  const [least, most] = boundsOf(step.count ?? { at_least: 1 });
  const found = new Set(messages.filter((message) => isMeant(step, message)).map(({ text }) => text)).size;
  if (found >= least && found <= most) return so(undefined);
  const difference = {
    expected: `${times(least, most)} ${words(step)} at ${step.sip}`,
    actual: `${found}; ${seen(messages)}`,
  };
  return found > most ? never(difference) : not(difference);
}

function isMeant(step: SipStep, message: PhoneMessage): boolean {
  const direction = step.sent === undefined ? 'received' : 'sent';
  if (message.direction !== direction || message.method !== (step.sent ?? step.received)) return false;
  if (message.status !== step.status) return false;
  if (step.sdp !== undefined && message.sdp !== step.sdp) return false;
  const wrongHeader = Object.entries(step.headers ?? {}).some(
    ([name, value]) => differences(headerOf(message.text, name), value).length > 0,
  );
  if (wrongHeader) return false;
  const body = message.text.slice(message.text.indexOf('\r\n\r\n') + 4);
  return step.body === undefined || differences(body, step.body).length === 0;
}

function words({ sent, received, status, sdp }: SipStep): string {
  const what = status === undefined ? (sent ?? received) : `${status} to ${sent ?? received}`;
  return `${what}${sdp === undefined ? '' : ` with a=${sdp}`} ${sent === undefined ? 'received' : 'sent'}`;
}

const MAX_LISTED = 30;

function seen(messages: readonly PhoneMessage[]): string {
  if (messages.length === 0) return 'no message seen';
  const listed = messages.slice(-MAX_LISTED).map(({ direction, method, status, sdp }) => {
    const what = status === undefined ? method : `${status} (${method})`;
    return `${direction === 'sent' ? '>' : '<'} ${what}${sdp === undefined ? '' : ` ${sdp}`}`;
  });
  return `seen: ${listed.join(', ')}`;
}
