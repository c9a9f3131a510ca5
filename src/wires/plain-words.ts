// What the system's network errors mean, in plain words for logs and people. Knows no protocol above TLS and HTTP.

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by the peer',
  EPIPE: 'connection reset by the peer',
  ECONNABORTED: 'connection aborted',
  ETIMEDOUT: 'the host does not answer',
  EHOSTDOWN: 'the host does not answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no free local port or address',
  EMFILE: 'too many open sockets',
  ENFILE: 'too many open sockets',
  ENOTFOUND: 'host name not found',
  ENODATA: 'host name has no address',
  EAI_AGAIN: 'the name server does not answer',
  EPROTO: 'the host does not speak TLS on that port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the host does not speak TLS on that port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the host does not speak TLS on that port',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted: it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted: its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate not trusted: its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not trusted: its authority is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted: its authority is unknown',
  CERT_HAS_EXPIRED: 'certificate not trusted: it has expired',
  CERT_NOT_YET_VALID: 'certificate not trusted: it is not valid yet',
  CERT_REVOKED: 'certificate not trusted: it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate not trusted: it is for another host',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_SOCKET: 'connection closed before the answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_DESTROYED: 'shut down',
  UND_ERR_CLOSED: 'shut down',
};

/** The system's code of an error, `ECONNREFUSED` for one; of several at once, that of the first. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

/** The meaning of a network error; its own message when it has no common name. */
export function plainWords(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP';
  return words[codeOf(error)] ?? (error.message === '' ? 'unknown error' : error.message);
}
