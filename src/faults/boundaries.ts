// The three places where faults strike, over one registry. Knows none of them.
import type { Clock } from '../kernel/clock.ts';
import { ApiFaults } from './api-faults.ts';
import type { FaultRegistry } from './registry.ts';
import { SipFaults } from './sip-faults.ts';
import { WebhookFaults } from './webhook-faults.ts';

export interface FaultBoundaries {
  readonly api: ApiFaults;
  readonly webhook: WebhookFaults;
  readonly sip: SipFaults;
  /** Nothing is held back any more: responses leave, messages are lost. */
  close(): void;
}

export function boundariesOf(registry: FaultRegistry, clock: Pick<Clock, 'after' | 'soon'>): FaultBoundaries {
  const api = new ApiFaults(registry, clock);
  const sip = new SipFaults(registry, clock);
  return {
    api,
    webhook: new WebhookFaults(registry),
    sip,
    close: () => {
      api.close();
      sip.close();
    },
  };
}
