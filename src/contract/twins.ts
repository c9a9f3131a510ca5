// Fields whose written name or type differs from the read one, or that are published in two forms. Knows no request.

import {
  type CodeTable,
  callStateCodes,
  cdrTypeCodes,
  contactTypeCodes,
  cultureCodes,
  destinationTypeCodes,
  directionCodes,
  dispositionCodes,
  folderCodes,
  isWord,
  languageCodes,
  monitorActs,
  monitorModeCodes,
  monitorStateCodes,
  positionCodes,
  queueStrategyCodes,
  reportFormatCodes,
  ringGroupStrategyCodes,
  ruleDirectionCodes,
  scheduleStatusCodes,
  twoFactorCodes,
  wordOf,
} from './codes.ts';
import type { ResourceId } from './resources.ts';

export type TwinMapping =
  /** Only the name differs. */
  | { readonly kind: 'same' }
  /** Written as a word, read as its number. */
  | { readonly kind: 'word-to-code'; readonly codes: CodeTable }
  /** The model's word where the sample shows a number: responses carry the word. */
  | { readonly kind: 'code-to-word'; readonly codes: CodeTable }
  /** Written as an act, read as the number of the state it leads to. */
  | { readonly kind: 'act-to-code'; readonly acts: Readonly<Record<string, string>>; readonly codes: CodeTable }
  /** Written as an array, read as text with commas. */
  | { readonly kind: 'list-to-text' }
  /** The model's array where the sample shows text: responses carry the array. */
  | { readonly kind: 'text-to-list' }
  /** Written as an object, read as its JSON text. */
  | { readonly kind: 'object-to-text' }
  /** Written as a number, read as text. */
  | { readonly kind: 'number-to-text' }
  /** Written as a number in E.164 (with or without `+`), read as its digits. */
  | { readonly kind: 'e164-to-digits' }
  /** One word against another. */
  | { readonly kind: 'words'; readonly read: Readonly<Record<string, string>> };

export interface Twin {
  /** `events` stands for the call event payload against the CDR. */
  readonly resource: ResourceId | 'events';
  readonly written: string;
  readonly read: string;
  readonly mapping: TwinMapping;
}

const same: TwinMapping = { kind: 'same' };
const list: TwinMapping = { kind: 'list-to-text' };

function coded(resource: ResourceId, field: string, codes: CodeTable): Twin {
  return { resource, written: field, read: field, mapping: { kind: 'word-to-code', codes } };
}

function lettered(resource: ResourceId, field: string, codes: CodeTable): Twin {
  return { resource, written: field, read: field, mapping: { kind: 'code-to-word', codes } };
}

function twin(resource: Twin['resource'], written: string, read: string, mapping: TwinMapping): Twin {
  return { resource, written, read, mapping };
}

export const twins: readonly Twin[] = [
  coded('calls', 'state', callStateCodes),
  coded('calls', 'destination', directionCodes),
  twin('calls', 'monitor_state', 'monitor_state', { kind: 'act-to-code', acts: monitorActs, codes: monitorStateCodes }),
  twin('cannedresponses', 'name', 'from', same),
  twin('cannedresponses', 'text', 'message', same),
  twin('vmannouncements', 'extension_id', 'extension', same),
  twin('campaigns', 'url', 'uri', same),
  coded('contacts', 'type', contactTypeCodes),
  twin('queues', 'moh_id', 'moh', same),
  twin('queues', 'ivr_id', 'ivr', same),
  coded('queues', 'ring_strategy', queueStrategyCodes),
  coded('queues', 'language', languageCodes),
  coded('queues', 'final_dst_type', destinationTypeCodes),
  coded('queues', 'monitor', monitorModeCodes),
  coded('ringgroups', 'strategy', ringGroupStrategyCodes),
  coded('ringgroups', 'final_dst_type', destinationTypeCodes),
  twin('routingrules', 'source', 'source', list),
  twin('routingrules', 'destination', 'destination', list),
  twin('routingrules', 'time_interval', 'time_interval', list),
  coded('routingrules', 'direction', ruleDirectionCodes),
  coded('ivrs', 'language', languageCodes),
  coded('ivrs', 'final_dst_type', destinationTypeCodes),
  twin('ivrs', 'post_sounds', 'post_sounds', list),
  twin('users', 'location_id', 'location_id', { kind: 'number-to-text' }),
  lettered('users', 'two_factor_auth', twoFactorCodes),
  twin('users', 'roles', 'roles', { kind: 'text-to-list' }),
  twin('users', 'visited_apps', 'visited_apps', { kind: 'text-to-list' }),
  twin('users', 'customer', 'customer_id_id', same),
  lettered('cdrs', 'type', cdrTypeCodes),
  lettered('cdrs', 'destination', directionCodes),
  lettered('cdrs', 'disposition', dispositionCodes),
  twin('events', 'context', 'context', { kind: 'words', read: { LOCAL_USER: 'USER_LOCAL' } }),
  coded('voicemessages', 'folder', folderCodes),
  twin('callmebacksettings', 'button_id', 'call_me_back_button', same),
  twin('callmebacksettings', 'ddi_e164', 'ddi', { kind: 'e164-to-digits' }),
  coded('callmebacksettings', 'position', positionCodes),
  coded('callmebacksettings', 'culture', cultureCodes),
  twin('callmebacksettings', 'allowed_countries', 'allowed_countries', list),
  coded('reportschedules', 'culture', cultureCodes),
  coded('reportschedules', 'format', reportFormatCodes),
  coded('reportschedules', 'status', scheduleStatusCodes),
  twin('reportschedules', 'emails', 'emails', list),
  twin('reportschedules', 'frequency', 'frequency', { kind: 'object-to-text' }),
];

const byField: ReadonlyMap<string, Twin> = new Map(
  twins.flatMap((row) => [
    [`${row.resource}.${row.read}`, row] as const,
    [`${row.resource}.${row.written}`, row] as const,
  ]),
);

/** The twin that a name belongs to, in its written or read form; undefined for a field of one form. */
export function twinOf(resource: Twin['resource'], field: string): Twin | undefined {
  return byField.get(`${resource}.${field}`);
}

/** The read form of a value in either form; a value that is neither is returned as it is. */
export function toRead({ mapping }: Twin, value: unknown): unknown {
  switch (mapping.kind) {
    case 'same':
      return value;
    case 'word-to-code':
      return wordToCode(mapping.codes, value);
    case 'code-to-word':
      return codeToWord(mapping.codes, value);
    case 'act-to-code':
      return wordToCode(mapping.codes, typeof value === 'string' ? (mapping.acts[value] ?? value) : value);
    case 'list-to-text':
      return Array.isArray(value) ? value.join(',') : value;
    case 'text-to-list':
      return typeof value === 'string' ? splitList(value) : value;
    case 'object-to-text':
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    case 'number-to-text':
      return typeof value === 'number' ? String(value) : value;
    case 'e164-to-digits':
      return typeof value === 'string' && /^\+?\d{1,15}$/.test(value) ? Number(value.replace('+', '')) : value;
    case 'words':
      return typeof value === 'string' ? (mapping.read[value] ?? value) : value;
  }
}

/** The written form of a value in either form; a value that is neither is returned as it is. */
export function toWritten({ mapping }: Twin, value: unknown): unknown {
  switch (mapping.kind) {
    case 'same':
      return value;
    case 'word-to-code':
      return codeToWord(mapping.codes, value);
    case 'code-to-word':
      return wordToCode(mapping.codes, value);
    case 'act-to-code':
      return actOf(mapping.acts, codeToWord(mapping.codes, value));
    case 'list-to-text':
      return typeof value === 'string' ? splitList(value) : value;
    case 'text-to-list':
      return Array.isArray(value) ? value.join(',') : value;
    case 'object-to-text':
      return typeof value === 'string' ? parsedObject(value) : value;
    case 'number-to-text':
      return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    case 'e164-to-digits':
      return value;
    case 'words':
      return Object.keys(mapping.read).find((word) => mapping.read[word] === value) ?? value;
  }
}

function wordToCode(codes: CodeTable, value: unknown): unknown {
  return typeof value === 'string' && isWord(codes, value) ? codes.codes[value] : codeIn(codes, value);
}

function codeToWord(codes: CodeTable, value: unknown): unknown {
  const code = codeIn(codes, value);
  return typeof code === 'number' ? (wordOf(codes, code) ?? value) : value;
}

/** The code that a text writes in digits; no word that has a code looks like a number. */
function codeIn(codes: CodeTable, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\d{1,3}$/.test(value)) return value;
  return String(Number(value)) === value && codes.byCode.has(Number(value)) ? Number(value) : value;
}

function actOf(acts: Readonly<Record<string, string>>, value: unknown): unknown {
  return Object.keys(acts).find((act) => acts[act] === value) ?? value;
}

function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
