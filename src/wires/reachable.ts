// Whether somebody listens at an address: a TCP connection is opened and closed. Knows nothing of what is spoken there.
import { connect } from 'node:net';
import { plainWords } from './plain-words.ts';

const WITHIN_MS = 5000;

/** Undefined when a connection came about; otherwise why not. Never rejects. */
export function unreachable({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WITHIN_MS });
    const end = (why: string | undefined): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no answer within ${WITHIN_MS / 1000} s`));
    socket.once('error', (error) => end(plainWords(error)));
  });
}
