// How a transferor hears of its transfer: NOTIFYs within its dialog, each with a status line (RFC 3515, 2.4.4 and 2.4.5). Knows no calls.
import type { Clock, Timer } from '../kernel/clock.ts';
import { reasonPhrase } from '../sip/serialise.ts';
import type { ServerRequest } from '../sip/user-agent-api.ts';
import type { Leg } from './leg.ts';

/** How long a transferor hears of a transfer that neither comes about nor fails. */
export const PROGRESS_LASTS_S = 180;

/** Says how the transfer is going; the first final status is the last word. */
export type Report = (status: number) => void;

/** A transfer that nobody wants to hear of. */
export const NO_REPORT: Report = () => {};

/** Begins with 100. What the transferor does not want to know any more (481 to a NOTIFY, a BYE) is not told. */
export function reportTo(clock: Clock, leg: Leg, refer: ServerRequest): Report {
  const id = refer.request.headers.get('CSeq')?.split(' ', 1)[0] ?? '';
  const endsAt = clock.now() + PROGRESS_LASTS_S * 1000;
  let last = 0;
  let expiry: Timer | undefined;
  const close = (): void => {
    expiry?.cancel();
    last = 700;
  };
  const notify = (status: number, state: string): void => {
    const headers = [
      ['Event', `refer;id=${id}`],
      ['Subscription-State', state],
    ] as const;
    const contentType = 'message/sipfrag;version=2.0';
    const body = `SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`;
    leg.session.request('NOTIFY', { headers, contentType, body }, (outcome) => {
      if (outcome.status === 481 || outcome.status === 489) close();
    });
  };
  const report: Report = (status) => {
    if (!leg.isUp || last >= 200) return close();
    if (status === last) return;
    last = status;
    if (status >= 200) {
      notify(status, 'terminated;reason=noresource');
      close();
    } else {
      notify(status, `active;expires=${Math.max(0, Math.round((endsAt - clock.now()) / 1000))}`);
    }
  };
  // RFC 6665, 4.2.2: the subscription is over when its time is, whatever became of the transfer.
  expiry = clock.after(PROGRESS_LASTS_S * 1000, `progress for ${leg.party.number} of a transfer`, () => {
    const known = last;
    close();
    if (leg.isUp) notify(known, 'terminated;reason=timeout');
  });
  report(100);
  return report;
}
