// The client of a judge whose target is mutated: every request of the API goes by the mutant, the control API's do not.
import { type Answered, type Asked, HttpClient } from '../../wires/http-client.ts';
import type { Target } from '../target/target.ts';
import type { Act, Mutant } from './mutant.ts';
import { operationAt } from './route.ts';

export class MutatedClient extends HttpClient {
  readonly #target: Target;
  readonly #act: Act;
  /** Whether the mutant has had anything to do with a request. */
  met = 0;

  constructor(target: Target, mutant: Mutant) {
    super();
    this.#target = target;
    this.#act = mutant.begin();
  }

  override send(asked: Asked): Promise<Answered> {
    const { apiRoot, control } = this.#target;
    if (control !== undefined && asked.url.startsWith(control.root)) return super.send(asked);
    const forward = (other: Asked): Promise<Answered> => super.send(other);
    this.met += 1;
    const operation = operationAt(apiRoot, asked.method, asked.url);
    return this.#act({ asked, operation, target: this.#target, forward });
  }
}
