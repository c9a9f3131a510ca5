// One Via value (RFC 3261, 20.42; rport: RFC 3581). Does not decide where responses go.
import { formatParams, type Params, parseParams } from './header-lists.ts';

export interface Via {
  /** As written, in capitals: UDP, TCP, TLS, WS, WSS or what the peer made up. */
  readonly transport: string;
  /** IPv6 with its brackets. */
  readonly host: string;
  readonly port: number | undefined;
  readonly branch: string | undefined;
  readonly received: string | undefined;
  /** True when asked for but not filled in. */
  readonly rport: number | true | undefined;
  /** All other parameters. */
  readonly params: Params;
}

const SENT =
  /^\s*SIP\s*\/\s*\d\.\d\s*\/\s*([\w\-.!%*+`'~]+)\s+([\w.-]+|\[[\da-fA-F:.]+\])(?:\s*:\s*(\d{1,5}))?\s*(?=;|$)/i;

export function parseVia(text: string): Via | undefined {
  const sent = SENT.exec(text);
  if (sent === null) return undefined;
  const params = parseParams(text, sent[0].length);
  const port = sent[3] === undefined ? undefined : Number(sent[3]);
  if (params === undefined || (port !== undefined && port > 65_535)) return undefined;
  const rport = params.get('rport');
  const via: Via = {
    transport: (sent[1] ?? '').toUpperCase(),
    host: sent[2] ?? '',
    port,
    branch: textOf(params, 'branch'),
    received: textOf(params, 'received'),
    rport: rport === undefined ? undefined : rport === true || !/^\d{1,5}$/.test(rport) ? true : Number(rport),
    params,
  };
  params.delete('branch');
  params.delete('received');
  params.delete('rport');
  return via;
}

export function formatVia(via: Via): string {
  const port = via.port === undefined ? '' : `:${via.port}`;
  const branch = via.branch === undefined ? '' : `;branch=${via.branch}`;
  const received = via.received === undefined ? '' : `;received=${via.received}`;
  const rport = via.rport === undefined ? '' : via.rport === true ? ';rport' : `;rport=${via.rport}`;
  return `SIP/2.0/${via.transport} ${via.host}${port}${branch}${received}${rport}${formatParams(via.params)}`;
}

function textOf(params: Params, name: string): string | undefined {
  const value = params.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
