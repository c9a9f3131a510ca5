// Notes in the top Via where a request really came from (RFC 3261, 18.2.1; RFC 3581). Responses go back on the flow all the same.
import type { Flow } from './flow.ts';
import { splitList } from './header-lists.ts';
import type { SipRequest } from './message.ts';
import { formatVia, type Via } from './via.ts';

export function markSource(request: SipRequest, via: Via, flow: Flow): void {
  const { host, port } = flow.remote;
  const asked = via.rport !== undefined;
  if (!asked && via.host === host) return;
  const marked = formatVia({ ...via, received: host, rport: asked ? port : undefined });
  const { headers } = request;
  const lines = headers.all('Via');
  const rest = splitList(lines[0] ?? '').slice(1);
  if (lines.length === 1 && rest.length === 0) {
    headers.set('Via', marked);
    return;
  }
  headers.delete('Via');
  for (const line of lines.slice(1).reverse()) headers.prepend('Via', line);
  // On one line as before: a thousand of them are one line in the answer, too.
  if (rest.length > 0) headers.prepend('Via', rest.join(', '));
  headers.prepend('Via', marked);
}
