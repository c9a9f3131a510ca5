// Whether records have a published field in one of its published types. Knows no request.
import type { JsonType, PublishedField } from '../../contract/clauses/published-fields.ts';
import type { Members } from '../conform/check.ts';
import { doubtful, type Finding, met, notApplicable, observed, violated } from '../conform/finding.ts';

const DATETIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** The first record that is wrong decides; null and the member of the other published shape are observed. */
export function fieldFinding(field: PublishedField, records: readonly Members[]): Finding {
  if (records.length === 0) return notApplicable('There is no record to look at.');
  const findings = records.map((record) => valueFinding(field, record));
  return (
    findings.find(({ found }) => found === 'violated') ??
    findings.find(({ found }) => found === 'doubtful') ??
    findings.find(({ found }) => found === 'met') ??
    findings[0] ??
    met()
  );
}

function valueFinding({ name, types, always, datetime, words }: PublishedField, record: Members): Finding {
  const where = record.id === undefined ? '' : ` in the record with id ${record.id}`;
  const wanted = types.join(' or ');
  if (!Object.hasOwn(record, name)) {
    if (!always) return observed(`${name} is not shown: the shape of the list, without the members of the model.`);
    return violated(`${name} is missing${where}.`, wanted, 'nothing');
  }
  const value = record[name];
  if (value === null) return observed(`${name} is null, which stands for nothing here.`, null);
  if (!types.some((type) => isOf(type, value))) return violated(`${name} has another type${where}.`, wanted, value);
  if (datetime !== undefined && value !== '' && !DATETIME.test(String(value))) {
    const message = `${name} is written in another way${where}.`;
    // Where the row only says datetime, the form is that of the others and no more.
    return datetime === 'stated'
      ? violated(message, 'YYYY-MM-DD H:I:S', value)
      : doubtful(message, 'YYYY-MM-DD H:I:S', value);
  }
  if (words !== undefined && typeof value === 'string' && value !== '' && !words.includes(value))
    return doubtful(
      `${name} is none of the published words${where}.`,
      words.filter((one) => one !== null).join(', '),
      value,
    );
  return met();
}

function isOf(type: JsonType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
