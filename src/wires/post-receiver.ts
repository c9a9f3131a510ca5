// A receiver of HTTP POSTs on loopback: each body is read up to a limit and handed over, one after the other. Knows nothing of what is in them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerIdentity } from './authority/local-authority.ts';
import { HttpListener } from './http-listener.ts';
import { type RequestBody, readBody } from './request-body.ts';

const HOST = '127.0.0.1';
const PATH = '/hook';
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer bodies are read to their end and not kept. */
export const MAX_POST_BYTES = 1024 * 1024;
/** Posts that wait for those before them; further ones get 503. */
export const MAX_WAITING = 10_000;

export interface Post extends RequestBody {
  readonly contentType: string;
}

/** Gets the posts in the order in which their bodies were complete; the answer leaves when it is done. Never rejects. */
export type OnPost = (post: Post) => Promise<void>;

export class PostReceiver {
  readonly #onPost: OnPost;
  #listener: HttpListener | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  private constructor(onPost: OnPost) {
    this.#onPost = onPost;
  }

  /** Port 0 for any free one; with an identity it speaks HTTPS. Rejects with `CannotListen`. */
  static async open(port: number, onPost: OnPost, identity?: () => ServerIdentity): Promise<PostReceiver> {
    const receiver = new PostReceiver(onPost);
    const handler = (request: IncomingMessage, response: ServerResponse): void => receiver.#handle(request, response);
    receiver.#listener = await HttpListener.open({
      ...{ host: HOST, port, maxHeaderBytes: MAX_HEADER_BYTES, handler },
      ...(identity === undefined ? {} : { identity }),
    });
    return receiver;
  }

  get url(): string {
    return `${this.#listener?.url}${PATH}`;
  }

  /** What was handed over is answered first. */
  async close(): Promise<void> {
    await this.#last;
    await this.#listener?.close();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal =
      request.url !== PATH ? 404 : request.method !== 'POST' ? 405 : this.#waiting >= MAX_WAITING ? 503 : 0;
    if (refusal !== 0) {
      response.writeHead(refusal, { connection: 'close' }).end();
      return;
    }
    readBody(request, MAX_POST_BYTES, (body) =>
      this.#take({ contentType: request.headers['content-type'] ?? '', ...body }, response),
    );
  }

  #take(post: Post, response: ServerResponse): void {
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#onPost(post))
      .then(() => {
        this.#waiting -= 1;
        return answered(response);
      });
  }
}

/** Resolves when the answer has left, or nobody is there to take it. */
function answered(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', () => resolve());
    if (response.destroyed) resolve();
    else response.writeHead(204).end(() => resolve());
  });
}
