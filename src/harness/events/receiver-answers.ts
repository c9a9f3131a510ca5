// What a webhook receiver of ours answers when told to: statuses, redirects, slowness, silence, a reset. Knows no webhook.
import type { ServerResponse } from 'node:http';

export type ReceiverAnswer =
  /** After so many real ms, at once if not said. */
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  /** The request is read and never answered. */
  | 'timeout'
  /** The connection is reset without a byte. */
  | 'reset';

/** Calls back after so many real ms; the result forgets it. */
export type Alarm = (ms: number, fn: () => void) => () => void;

/** `503`, `302 to /hooks/other`, `204 after 300 ms`, `reset`. */
export function answerWords(answer: ReceiverAnswer): string {
  if (typeof answer === 'string') return answer;
  const { status, location, afterMs } = answer;
  return `${status}${location === undefined ? '' : ` to ${location}`}${afterMs === undefined ? '' : ` after ${afterMs} ms`}`;
}

/** Answers a request that was read to its end. Without an alarm nothing takes its time. */
export function answered(response: ServerResponse, answer: ReceiverAnswer, alarm?: Alarm): void {
  if (answer === 'timeout') return;
  if (answer === 'reset') {
    // TLS has no reset of its own: the connection ends without a word.
    const { socket } = response;
    if (socket === null || 'encrypted' in socket) socket?.destroy();
    else socket.resetAndDestroy();
    return;
  }
  const { status, location, afterMs } = answer;
  const end = (): void => {
    if (!response.destroyed) response.writeHead(status, location === undefined ? {} : { location }).end();
  };
  if (afterMs === undefined || alarm === undefined) return end();
  const cancel = alarm(afterMs, end);
  response.once('close', cancel);
}
