// Which attendant answers at which place of the exchange.
import type { Attendant, AttendantFacts } from './attendant.ts';
import { Barge } from './attendants/barge.ts';
import { ConferenceAttendant } from './attendants/conference.ts';
import { echoTest } from './attendants/echo.ts';
import { IvrMenu } from './attendants/ivr.ts';
import { Mailbox } from './attendants/mailbox.ts';
import { Parked } from './attendants/park.ts';
import { QueueAttendant } from './attendants/queue.ts';
import { QueueLogin } from './attendants/queue-login.ts';
import { Voicemail } from './attendants/voicemail.ts';
import { FaxReceiver } from './fax-receiver.ts';
import type { Attended } from './place.ts';
import type { Switchboard } from './switchboard.ts';

type Builder<K extends Attended['kind']> = (
  board: Switchboard,
  place: Extract<Attended, { kind: K }>,
  facts: AttendantFacts,
) => Attendant;

const builders: { readonly [K in Attended['kind']]?: Builder<K> } = {
  barge: (board, { user }, facts) => new Barge(board, user, facts),
  conference: (board, place, facts) => new ConferenceAttendant(board, place, facts),
  echo: (board, _, facts) => echoTest(board, facts),
  fax: (board, { ddi }, facts) => new FaxReceiver(board, ddi, facts),
  ivr: (board, { ivr }, facts) => new IvrMenu(board, ivr, facts),
  login: (board, { user, number }, facts) => new QueueLogin(board, user, number, facts),
  mailbox: (board, { user }, facts) => new Mailbox(board, user, facts),
  parked: (board, { user }, facts) => new Parked(board, user, facts),
  queue: (board, { queue }, facts) => new QueueAttendant(board, queue, facts),
  voicemail: (board, { user }, facts) => new Voicemail(board, user, facts),
};

/** The attendant of a place for one caller; undefined where nobody attends. */
export function attendantAt(place: Attended): ((board: Switchboard, facts: AttendantFacts) => Attendant) | undefined {
  const builder = builders[place.kind] as Builder<Attended['kind']> | undefined;
  return builder && ((board, facts) => builder(board, place, facts));
}
