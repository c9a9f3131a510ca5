// What is there to be asked for: everything that the lists of an account show, and what was made since. Knows no fault.
import { type Kind, type Known, kindOf } from '../../api/requests.rig.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Random } from '../../kernel/random.ts';
import type { Ready } from './server-process.ts';
import { Wire, type WireAnswer } from './wire.ts';

const lists = operations.filter(
  ({ method, path, response }) =>
    method === 'GET' && response.kind === 'collection' && !path.includes('{') && !path.includes('dictionaries'),
);
/** Ids of one kind that are remembered. */
const REMEMBERED = 300;

export class Catalogue {
  readonly #ready: Ready;
  readonly #ids = new Map<Kind, number[]>();
  readonly #numbers: string[] = [];
  readonly #emails: string[] = [];

  private constructor(ready: Ready) {
    this.#ready = ready;
    this.#ids.set('customers', [2, 3, 4, 1]);
  }

  /** Lists first: every collection of the first account. */
  static async read(ready: Ready): Promise<Catalogue> {
    const catalogue = new Catalogue(ready);
    const wire = await Wire.open(Number(new URL(ready.url).port));
    for (const { path } of lists) {
      wire.send(
        `GET /v1.1/pbx${path}?limit=200 HTTP/1.1\r\nHost: x\r\nAuthorization: ${catalogue.rootCredentials}\r\n\r\n`,
      );
      const answer = await wire.answer();
      if (typeof answer === 'string' || answer.status !== 200) continue;
      const { data } = JSON.parse(answer.body.toString()) as { data: Array<Readonly<Record<string, unknown>>> };
      for (const record of data) catalogue.#remember(kindOf({ path }), record);
    }
    wire.cut();
    return catalogue;
  }

  get size(): number {
    return [...this.#ids.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get rootCredentials(): string {
    return basic(this.#ready.users[0]?.user_id, this.#ready.users[0]?.api_key);
  }

  /** Mostly somebody's who may do everything, sometimes somebody's who may not, or of another account. */
  credentials(random: Random): string {
    if (random.int(100) < 80) return this.rootCredentials;
    const { users, refused } = this.#ready;
    const some = [
      ...users.map((user) => [user.user_id, user.api_key] as const),
      ...refused.map((one) => [one.user_id, one.secret] as const),
    ];
    return basic(...(some[random.int(some.length)] ?? some[0] ?? [0, '']));
  }

  /** Something that was made can be asked for from now on. */
  learn({ response }: Operation, { status, body }: WireAnswer): void {
    if (status !== 201 || response.kind !== 'single') return;
    const { data } = JSON.parse(body.toString()) as { data: Readonly<Record<string, unknown>> };
    this.#remember(response.resource, data);
  }

  knownTo(random: Random): Known {
    const some = <T>(items: readonly T[], other: T): T => items[random.int(Math.max(1, items.length))] ?? other;
    const number = (): string => (random.int(6) === 0 ? '+442079460901' : some(this.#numbers, '+442079460101'));
    return {
      id: (kind) => {
        const chance = random.int(100);
        if (chance < 85) return some(this.#ids.get(kind) ?? [], 10_000_001 + random.int(4));
        return chance < 95 ? 20_000_001 + random.int(40) : 1 + random.int(2 ** 31 - 1);
      },
      number,
      dialled: () =>
        some([number(), String(101 + random.int(10)), '600', '700', '800', '900', '*86', '+442079460000'], '101'),
      email: () => some(this.#emails, 'nobody@nowhere.example'),
      text: () => some(['x', 'Grüße', '日本', '=1+1', '"a,b";\n', '', random.token(12)], 'x'),
    };
  }

  #remember(kind: Kind, { id, e164, email }: Readonly<Record<string, unknown>>): void {
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, ids);
    if (Number.isInteger(Number(id)) && ids.length < REMEMBERED) ids.push(Number(id));
    if (typeof e164 === 'string' && this.#numbers.length < REMEMBERED) this.#numbers.push(e164);
    if (typeof email === 'string' && email !== '' && this.#emails.length < REMEMBERED) this.#emails.push(email);
  }
}

function basic(userId: number | undefined, secret: string | null | undefined): string {
  return `Basic ${Buffer.from(`${userId}:${secret ?? 'nothing'}`).toString('base64')}`;
}
