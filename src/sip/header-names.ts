// The header names that SIP knows, with their compact forms (RFC 3261, 7.3.3 and 20). Knows nothing of values.

const COMPACT: Readonly<Record<string, string>> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  d: 'Request-Disposition',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  j: 'Reject-Contact',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
  y: 'Identity',
};

const FULL = [
  'Accept Accept-Encoding Accept-Language Alert-Info Allow Authentication-Info Authorization Call-Info',
  'Content-Disposition Content-Language CSeq Date Diversion Error-Info Expires History-Info In-Reply-To Max-Forwards',
  'MIME-Version Min-Expires Min-SE Organization P-Access-Network-Info P-Asserted-Identity P-Preferred-Identity Path',
  'Priority Privacy Proxy-Authenticate Proxy-Authorization Proxy-Require RAck Reason Record-Route Recv-Info',
  'Remote-Party-ID Replaces Reply-To Require Retry-After Route RSeq Server Service-Route SIP-ETag SIP-If-Match',
  'Subscription-State Target-Dialog Timestamp Unsupported User-Agent Warning WWW-Authenticate',
];

/** One header name: the key under which it is looked up, and how it is written in full. Of a name that SIP knows there is one. */
export interface HeaderName {
  readonly key: string;
  readonly name: string;
  /** How a line with it begins. */
  readonly label: string;
  readonly known: boolean;
}

const KNOWN = new Map<string, HeaderName>();
for (const name of [...Object.values(COMPACT), ...FULL.flatMap((line) => line.split(' '))]) {
  const known = { key: name.toLowerCase(), name, label: `${name}: `, known: true };
  KNOWN.set(name, known).set(known.key, known).set(name.toUpperCase(), known);
}
for (const [letter, name] of Object.entries(COMPACT)) {
  const known = KNOWN.get(name);
  if (known !== undefined) KNOWN.set(letter, known).set(letter.toUpperCase(), known);
}

/** Known names as they are usually written, by length and first letter. */
const USUAL: HeaderName[][] = Array.from({ length: 32 * 128 }, () => []);
for (const known of new Set(KNOWN.values())) USUAL[shapeOf(known.name, 0, known.name.length)]?.push(known);

/**
 * The name as a key and in full. A known name in its usual writing, in small letters, in capitals or in compact form
 * costs one look-up and yields the usual writing; any other is kept as it is written.
 */
export function headerName(written: string): HeaderName {
  const known = KNOWN.get(written);
  if (known !== undefined) return known;
  const key = written.toLowerCase();
  return KNOWN.get(key) ?? { key, name: written, label: `${written}: `, known: false };
}

/** The same of a piece of a text, which is not cut out for a name in its usual writing. */
export function headerNameIn(text: string, from: number, to: number): HeaderName {
  const alike = USUAL[shapeOf(text, from, to)];
  for (let at = 0; alike !== undefined && at < alike.length; at += 1) {
    const usual = alike[at];
    if (usual !== undefined && text.startsWith(usual.name, from)) return usual;
  }
  return headerName(text.slice(from, to));
}

/** Equal for names of one length that begin with the same letter; 0, the length of no name, for what no known name looks like. */
function shapeOf(text: string, from: number, to: number): number {
  const letter = text.charCodeAt(from);
  return letter < 128 && to - from < 32 ? (to - from) * 128 + letter : 0;
}
