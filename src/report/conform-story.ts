// A check's result in words: what every report of people tells of it. Pure.
import type { CheckResult, Exchange } from './conform-results.ts';

/** Everything about one result, a line each: what was required, what came, and how to ask again. */
export function storyOf(result: CheckResult, exchanges: ReadonlyMap<number, Exchange>): string {
  const { clause, level, requirement, spec, operation, message, expected, actual, accepted } = result;
  const last = result.exchanges.map((seq) => exchanges.get(seq)).findLast((one) => one !== undefined);
  const rows: ReadonlyArray<readonly [string, string | undefined]> = [
    ['clause', `${clause} (${level}): ${requirement}`],
    ['source', spec],
    ['operation', operation],
    ['message', message === '' ? undefined : message],
    ['expected', expected],
    ['actual', actual],
    ['known', accepted === undefined ? undefined : [accepted.reason, accepted.issue].filter(Boolean).join(' ')],
    ['ask', last === undefined ? undefined : curlOf(last)],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [row(label, text)])).join('\n');
}

/** One line: what is wrong, and what was expected instead. */
export function shortStoryOf({ message, expected, actual }: CheckResult): string {
  const parts = [
    message.replace(/\.$/, ''),
    expected === undefined ? '' : `expected ${expected}`,
    actual === undefined ? '' : `actual ${actual}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** A command that sends the request of an exchange again; what was secret in it is not there any more. */
export function curlOf({ request }: Exchange): string {
  const { method, url, headers, body } = request;
  const parts = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined || body === '' ? [] : [`--data-raw ${quoted(body)}`]),
    quoted(url),
  ];
  return parts.join(' ');
}

/** Where a check belongs: the resource of its operation, else the area in its id. */
export function areaOf({ id, operation }: CheckResult): string {
  const path = operation?.split(' ')[1];
  const resource = path?.split('/').find((part) => part !== '' && !part.startsWith('{'));
  return resource ?? id.split('/')[0] ?? id;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function row(label: string, text: string): string {
  return `${label.padEnd(10)}${text.replaceAll('\n', `\n${' '.repeat(10)}`)}`;
}
