// Why a socket could not be opened, in one sentence for the person who gave its address. Knows no protocol.

import type { Address } from '../sip/flow.ts';
import { written } from './ip-address.ts';

/** Rejects the opening of a wire. The message is fit to be shown as it is. */
export class CannotListen extends Error {
  /** The system's code, `EADDRINUSE` for one. */
  readonly code: string;

  constructor(what: string, address: Address, cause: Error) {
    const code = 'code' in cause ? String(cause.code) : '';
    super(`${what} cannot listen on ${written(address)}: ${reasonOf(code) ?? cause.message}.`, { cause });
    this.name = 'CannotListen';
    this.code = code;
  }
}

function reasonOf(code: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is in use';
    case 'EACCES':
      return 'the port is reserved for the administrator';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    case 'ENOTFOUND':
    case 'EINVAL':
      return 'that is not an IP address of this machine';
    default:
      return undefined;
  }
}
