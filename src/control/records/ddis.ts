// Numbers as the administration application keeps them: with `+`, however they are written.
import { e164 } from '../../contract/fields.ts';
import { digitsOf } from '../../phones/public-numbers.ts';
import { anyRecord } from './any-record.ts';

export const ddiRecords = anyRecord('ddis', {
  properties: { e164 },
  kept: (members) => {
    const { e164: number } = members;
    return typeof number === 'string' ? { ...members, e164: `+${digitsOf(number)}` } : members;
  },
});
