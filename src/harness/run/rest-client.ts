// Requests to the REST API by operation id, as a user of the target. Knows the contract's routes, no expectation.
import type { Answered, HttpClient } from '../../wires/http-client.ts';
import { jsonIn } from '../json-text.ts';
import type { Target, TargetUser } from '../target/target.ts';
import { type OperationRequest, requestOf, routeOf } from './request.ts';

export type RestRequest = OperationRequest;

export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined when the body is no JSON. */
  readonly body: unknown;
  readonly text: string;
}

export type RestOutcome =
  | { readonly ok: true; readonly answer: RestAnswer }
  | { readonly ok: false; readonly error: string };

export class RestClient {
  readonly #http: Pick<HttpClient, 'send'>;
  readonly #target: Target;

  constructor(http: Pick<HttpClient, 'send'>, target: Target) {
    this.#http = http;
    this.#target = target;
  }

  async send(request: RestRequest): Promise<RestOutcome> {
    return outcomeOf(await this.#http.send(requestOf(this.#target.apiRoot, request)));
  }

  /** The command line that sends it again; credentials are left to the reader. */
  curl(request: RestRequest): string {
    const { operation, as, body } = request;
    const root = this.#target.fresh ? '$PBXSIM_API' : this.#target.apiRoot;
    return [
      'curl -i',
      ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`]),
      ...(as === undefined ? [] : [`-u "${as.id}:$PBXSIM_KEY"`]),
      ...(body === undefined
        ? []
        : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
      `-g "${root}${routeOf(request)}"`,
    ].join(' ');
  }
}

/** What a user proves who it is with; undefined when it has nothing. */
export function credentialsOf(user: TargetUser): { readonly id: number; readonly key: string } | undefined {
  return user.key === null ? undefined : { id: user.id, key: user.key };
}

function outcomeOf(answered: Answered): RestOutcome {
  if (!answered.ok) return answered;
  const { status, headers, text } = answered;
  return { ok: true, answer: { status, headers, text, body: jsonIn(text) } };
}
