// One Via value (RFC 3261, 20.42; rport: RFC 3581). Does not decide where responses go.
import { eachParam, formatParams, MAX_PARAMS, NO_PARAMS, type Params } from './header-lists.ts';

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
  const port = sent[3] === undefined ? undefined : Number(sent[3]);
  if (port !== undefined && port > 65_535) return undefined;
  const own: OwnParams = { branch: undefined, received: undefined, rport: undefined };
  let others: Map<string, string | true> | undefined;
  let names = 0;
  const isSound = eachParam(text, sent[0].length, (key, value) => {
    if (names >= MAX_PARAMS) return false;
    // A branch and a received without a value say nothing: one that comes later holds.
    if (value === true && (key === 'branch' || key === 'received')) return true;
    const isOwn = key === 'branch' || key === 'received' || key === 'rport';
    if (isOwn ? own[key] !== undefined : others?.has(key) === true) return true;
    names += 1;
    if (isOwn) own[key] = value;
    else {
      others ??= new Map();
      others.set(key, value);
    }
    return true;
  });
  if (!isSound) return undefined;
  const { rport } = own;
  return {
    transport: (sent[1] ?? '').toUpperCase(),
    host: sent[2] ?? '',
    port,
    branch: textOf(own.branch),
    received: textOf(own.received),
    rport: rport === undefined ? undefined : rport === true || !/^\d{1,5}$/.test(rport) ? true : Number(rport),
    params: others ?? NO_PARAMS,
  };
}

export function formatVia(via: Via): string {
  const port = via.port === undefined ? '' : `:${via.port}`;
  const branch = via.branch === undefined ? '' : `;branch=${via.branch}`;
  const received = via.received === undefined ? '' : `;received=${via.received}`;
  const rport = via.rport === undefined ? '' : via.rport === true ? ';rport' : `;rport=${via.rport}`;
  return `SIP/2.0/${via.transport} ${via.host}${port}${branch}${received}${rport}${formatParams(via.params)}`;
}

type OwnParams = Record<'branch' | 'received' | 'rport', string | true | undefined>;

function textOf(value: string | true | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
