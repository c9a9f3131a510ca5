// One attempt of a delivery with a fault on its way. Knows no queue and no schedule.
import type { AttemptFault } from '../faults/webhook-faults.ts';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from './sender.ts';

/** Posts, unless the fault keeps it from leaving, and calls `onOutcome` once with what the sender believes. */
export function postWith(
  fault: AttemptFault | undefined,
  sender: WebhookSender,
  request: WebhookRequest,
  onOutcome: (outcome: WebhookOutcome) => void,
): void {
  if (fault === undefined) sender.post(request, onOutcome);
  else if (fault.do === 'field') sender.post({ ...request, body: fault.body }, onOutcome);
  else if (fault.do === 'drop') onOutcome({ ok: true, status: 200, ms: 0 });
  else sender.post(request, (first) => sender.post(request, () => onOutcome(first)));
}
