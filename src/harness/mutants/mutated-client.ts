// The client of a judge whose target is mutated: every request goes by the mutant.
import type { OperationId } from '../../contract/operations.ts';
import type { TimeHost } from '../../kernel/clock.ts';
import { type Answered, type Asked, HttpClient } from '../../wires/http-client.ts';
import type { Target } from '../target/target.ts';
import { type Act, credentialsIn, type Mutant, made } from './mutant.ts';
import { operationAt } from './route.ts';

export interface MutatedClientOptions {
  readonly target: Target;
  readonly mutant: Pick<Mutant, 'begin' | 'control'>;
  readonly host: TimeHost;
  /**
   * What the restricted user is refused in the path besides what the target refuses: which role may do what is not specified, so that a
   * target that denies more is as right, and its refusals can be mutated.
   */
  readonly denying: readonly OperationId[];
}

const DENIED = made(403, { message: 'Denied.', errors: ['This role may not do that.'] });

export class MutatedClient extends HttpClient {
  readonly #options: MutatedClientOptions;
  readonly #act: Act;
  readonly #control: Act | undefined;

  constructor(options: MutatedClientOptions) {
    super();
    this.#options = options;
    this.#act = options.mutant.begin();
    this.#control = options.mutant.control?.();
  }

  override send(asked: Asked): Promise<Answered> {
    const { target, host } = this.#options;
    const { apiRoot, control } = target;
    const pause = (ms: number): Promise<void> => new Promise((resolve) => void host.alarm(ms, resolve));
    if (control !== undefined && asked.url.startsWith(control.root)) {
      const forward = (other: Asked): Promise<Answered> => super.send(other);
      return this.#control?.({ asked, operation: undefined, target, forward, pause }) ?? forward(asked);
    }
    const forward = async (other: Asked): Promise<Answered> =>
      this.#isDenied(other) ? DENIED : await super.send(other);
    const operation = operationAt(apiRoot, asked.method, asked.url);
    return this.#act({ asked, operation, target, forward, pause });
  }

  #isDenied(asked: Asked): boolean {
    const { target, denying } = this.#options;
    const { restricted } = target.users;
    if (restricted === undefined || credentialsIn(asked)?.id !== String(restricted.id)) return false;
    const operation = operationAt(target.apiRoot, asked.method, asked.url);
    return operation !== undefined && denying.includes(operation.id);
  }
}
