// Server-sent events of one URL, read as they come. Knows nothing of what is in them.
import { Agent, request } from 'undici';
import { connector } from './connect.ts';
import { plainWords } from './plain-words.ts';

/** A longer line ends the stream: no event comes near. */
export const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const CONNECT_MS = 10_000;

export interface StreamAsked {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of an authority to trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

export interface StreamReader {
  /** The answer has begun: nothing that happens from now on is missed. */
  readonly opened?: () => void;
  /** The data of one event. */
  readonly event: (data: string) => void;
  /** What the sender says beside events. */
  readonly comment?: (text: string) => void;
}

/** Why a stream ended: `ended` by the sender or by `signal`; else the status of an answer that is no stream, or what broke it. */
export type StreamEnd =
  | { readonly how: 'ended' }
  | { readonly how: 'refused'; readonly status: number; readonly text: string }
  | { readonly how: 'broken'; readonly why: string };

/** Reads to the end of the stream. Never rejects. */
export async function readEventStream(asked: StreamAsked, reader: StreamReader): Promise<StreamEnd> {
  const { url, headers = {}, signal, ca } = asked;
  const dispatcher = new Agent({ connect: connector({ timeout: CONNECT_MS }, ca) });
  try {
    const answer = await request(url, { dispatcher, headers, signal, bodyTimeout: 0 });
    if (answer.statusCode !== 200) {
      return { how: 'refused', status: answer.statusCode, text: (await answer.body.text()).slice(0, 1000) };
    }
    reader.opened?.();
    const decoder = new TextDecoder();
    let rest = '';
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) tell(line, reader);
      if (rest.length > MAX_LINE_CHARACTERS) {
        return { how: 'broken', why: `a line is longer than ${MAX_LINE_CHARACTERS} characters` };
      }
    }
    return { how: 'ended' };
  } catch (error) {
    return signal.aborted ? { how: 'ended' } : { how: 'broken', why: plainWords(error) };
  } finally {
    await dispatcher.destroy();
  }
}

function tell(line: string, { event, comment }: StreamReader): void {
  if (line.startsWith('data: ')) event(line.slice('data: '.length));
  else if (line.startsWith(': ')) comment?.(line.slice(2));
}
