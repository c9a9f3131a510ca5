// What stands on the sheets of a fax that came in: what is known of it, for its picture is not read. Knows no format.
import { isoText } from '../kernel/time.ts';
import type { Mail } from '../store/outbox.ts';

/** The lines of each page. */
export function faxSheets({ at, from = '', number = '', to, fax_id = 0, filename = '', pages = 1 }: Mail): string[][] {
  const time = isoText(at);
  return Array.from({ length: Math.max(1, pages) }, (_, sheet) => [
    `${time}   FROM ${from}   TO ${number}   P. ${sheet + 1}/${pages}`,
    '',
    '',
    `Fax ${fax_id} (${filename}), page ${sheet + 1} of ${pages}`,
    '',
    `From      ${from}`,
    `To        ${number}`,
    `Mailed    ${to}`,
    `Received  ${time}`,
    '',
    '',
    'The simulator tells pages by the time that the sender stayed on the line. What was on',
    'them is not read out of the sound, so this sheet stands for the page.',
  ]);
}
