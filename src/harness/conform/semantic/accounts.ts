// Checks that lists have what belongs to the caller's customer alone; that records have is checked for every operation.
import type { OperationId } from '../../../contract/operations.ts';
import type { Bench, Check, Members } from '../check.ts';
import { demand, met, observed } from '../finding.ts';

interface Kind {
  readonly name: string;
  readonly create: OperationId;
  readonly list: OperationId;
  readonly member: string;
}

const kinds: readonly Kind[] = [
  { name: 'contact', create: 'createContact', list: 'listContacts', member: 'first_name' },
  { name: 'conference', create: 'createConference', list: 'listConferences', member: 'name' },
];

async function made(bench: Bench, { create, member }: Kind): Promise<Members> {
  return bench.make(create, { [member]: `sealed ${bench.random.hex(8)}` });
}

export const accountChecks: readonly Check[] = [
  ...kinds.flatMap((kind): Check[] => [
    {
      id: `accounts/${kind.name}-lists-sealed`,
      clause: 'ACCOUNT-LISTS-SEALED',
      operation: kind.list,
      effects: ['read', 'write'],
      needs: ['other customer'],
      run: async (bench) => {
        const record = await made(bench, kind);
        const filter = JSON.stringify([{ property: kind.member, operator: 'eq', value: record[kind.member] }]);
        const found = async (as: 'first' | 'other_customer') => {
          const { body } = await bench.ask(kind.list, { as, query: { filter } });
          const { data } = (body ?? {}) as { data?: readonly Members[] };
          return (data ?? []).some(({ id }) => id === record.id);
        };
        demand(await found('first'), 'The list of the owner has not the new record.', record.id, 'nothing');
        demand(!(await found('other_customer')), 'The list of another customer has the record.', 'nothing', record.id);
        return met();
      },
    },
  ]),
  {
    id: 'accounts/refusal',
    clause: 'ACCOUNT-REFUSAL',
    operation: 'getContact',
    effects: ['read', 'write'],
    needs: ['other customer'],
    run: async (bench) => {
      const { id } = await bench.make('createContact', { first_name: 'sealed' });
      const { status } = await bench.ask('getContact', { as: 'other_customer', path: { id } });
      return observed(`A record of another customer is answered ${status}.`, status);
    },
  },
];
