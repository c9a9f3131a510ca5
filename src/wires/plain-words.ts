// What the system's network errors mean, in plain words for logs and people. Knows no protocol.

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
};

/** The system's code of an error, `ECONNREFUSED` for one; of several at once, that of the first. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

/** The meaning of a network error; its own message when it has no common name. */
export function plainWords(error: unknown): string {
  return words[codeOf(error)] ?? (error instanceof Error && error.message !== '' ? error.message : 'unknown error');
}
