// The body of a request to a receiver: gathered up to a limit, read to its end in any case. Knows nothing of what is in it.
import type { IncomingMessage } from 'node:http';

export interface RequestBody {
  /** Undefined when it was too long. */
  readonly text: string | undefined;
  /** Bytes received, kept or not. */
  readonly bytes: number;
}

/** Calls back once, when the body is complete; never when the sender goes away before that. Keeps at most `maxBytes` in memory. */
export function readBody(request: IncomingMessage, maxBytes: number, then: (body: RequestBody) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts.length = 0;
  });
  request.on('end', () => then({ text: bytes > maxBytes ? undefined : Buffer.concat(parts).toString(), bytes }));
  // Who goes away in the middle is heard of by the response.
  request.on('error', () => {});
}
