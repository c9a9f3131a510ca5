// Every kind of record that the administration application keeps, in the order of the specification.
import { storedResources } from '../../store/store.ts';
import { anyRecord } from './any-record.ts';
import { ddiRecords } from './ddis.ts';
import type { RecordKind } from './record-kind.ts';
import { userRecords } from './users.ts';

const peculiar: ReadonlyMap<string, RecordKind> = new Map([userRecords, ddiRecords].map((kind) => [kind.id, kind]));

export const recordKinds: readonly RecordKind[] = storedResources.map((id) => peculiar.get(id) ?? anyRecord(id));
