// The columns of a resource, from the contract's schemas. Knows no record.
import { type ResourceId, resources } from '../../contract/resources.ts';
import { fieldOf } from '../conditions.ts';
import type { ColumnSpec } from './column.ts';

/** One for each published member and each that is only kept. */
export function columnsOf(resource: ResourceId): ColumnSpec[] {
  const { schema, kept } = resources[resource];
  const names = new Set([...Object.keys(schema.properties), ...Object.keys(kept?.properties ?? {})]);
  return [...names].map((name) => ({ name, kind: fieldOf(resource, name)?.kind ?? 'text' }));
}
