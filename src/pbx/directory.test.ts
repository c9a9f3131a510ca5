// What a dialled number leads to, and what is said where it leads nowhere.
import { expect, it } from 'vitest';
import { Directory } from './directory.ts';
import { makeRig } from './exchange.rig.ts';

it('says of an extension that its user is not active, and of other digits that nobody has them', () => {
  const { store, customer } = makeRig();
  const directory = new Directory(store);
  const { user_id = 0, ext = '' } = customer.users[1] ?? {};
  expect(directory.dialled(customer.customerId, ext)).toMatchObject({ kind: 'user', user: { id: user_id } });
  store.users.update(user_id, { active: false });
  expect(directory.dialled(customer.customerId, ext)).toEqual({
    kind: 'nowhere',
    status: 404,
    why: `the user with the extension ${ext} is not active`,
  });
  expect(directory.dialled(customer.customerId, '999')).toMatchObject({
    why: '999 is neither an extension nor a public number',
  });
});
