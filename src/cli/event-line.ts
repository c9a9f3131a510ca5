// An event as one line for people, and what is wrong with it. Whatever a sender wrote, a line stays a line.
import chalk from 'chalk';
import type { EventBody, Heard, Violation } from '../harness/events/event-watch.ts';

/** Longer values are cut. */
const MAX_CHARACTERS = 120;
const NAME_WIDTH = 15;

export function eventLine({ event, callId, body, isTest }: Heard): string {
  const time = chalk.dim(said(body?.event_time, '(no time)'));
  const name = said(event, '(no event)').padEnd(NAME_WIDTH);
  if (isTest) return [time, chalk.dim(name), chalk.dim('a test of the URL')].join('  ');
  const call = callId === undefined ? [] : [`call ${callId}`];
  return [time, chalk.bold(name), ...call, ...(body === undefined ? [] : factsOf(body))].join('  ');
}

export function violationLine({ rule, message }: Violation): string {
  return chalk.red(`  ! ${rule}: ${printable(message)}`);
}

function factsOf(body: EventBody): string[] {
  if (body.event_name === 'sms.received') return [`${said(body.from_no)} -> ${said(body.to_no)}`, quoted(body.text)];
  const pressed = body.digit === undefined ? [] : [`key ${said(body.digit)} of the ${said(body.pressed_by)}`];
  const cause = said(body.t_cause, '');
  const ended = cause === '' ? [] : [cause];
  const by = said(body.terminated_by, '');
  return [
    said(body.state),
    `${said(body.destination)} ${end(body.src, body.src_name)} -> ${end(body.dst, body.dst_name)}`,
    ...pressed,
    `${said(body.duration)} s`,
    ...ended,
    ...(by === '' ? [] : [`ended by the ${by}`]),
  ];
}

function end(number: unknown, name: unknown): string {
  const known = said(name, '');
  return known === '' ? said(number) : `${said(number)} (${known})`;
}

function quoted(value: unknown): string {
  return `"${said(value, '')}"`;
}

function said(value: unknown, otherwise = '-'): string {
  if (value === undefined || value === null || value === '') return otherwise;
  const text = printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}...` : text;
}

/** No escape sequence of a sender reaches the terminal, and no line break. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
