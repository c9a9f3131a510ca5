// A request of a peer that awaits our answer, as the user agent's owner sees it. Knows nothing of dialogs but the tag.
import type { Flow } from './flow.ts';
import type { SipRequest } from './message.ts';
import type { ServerTransaction } from './transaction-server.ts';
import type { ResponseOptions, ServerRequest } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

/** Any request but an INVITE. */
export class PendingRequest implements ServerRequest {
  readonly request: SipRequest;
  readonly flow: Flow;
  readonly #core: Core;
  readonly #transaction: ServerTransaction;
  readonly #toTag: string;
  readonly #dialogFlow: Flow | undefined;

  /** `dialogFlow` is given where the response makes or belongs to a dialog, and so carries our Contact. */
  constructor(core: Core, request: SipRequest, transaction: ServerTransaction, toTag: string, dialogFlow?: Flow) {
    this.request = request;
    this.flow = transaction.flow;
    this.#core = core;
    this.#transaction = transaction;
    this.#toTag = toTag;
    this.#dialogFlow = dialogFlow;
  }

  get answered(): boolean {
    return this.#transaction.finalStatus !== 0;
  }

  respond(status: number, options?: ResponseOptions): void {
    if (this.answered) return;
    const { request } = this;
    this.#transaction.respond(this.#core.buildResponse(request, status, this.#toTag, options, this.#dialogFlow));
  }
}
