// Words and letters against the numeric codes of the published samples. The specification shows both and no mapping:
// every number here is a choice (CHOICE-CODES-*). Knows no resource and no operation.

/** A closed set of words, each with its number. */
export interface CodeTable<W extends string = string> {
  readonly id: string;
  readonly codes: Readonly<Record<W, number>>;
  /** The words in the order of their numbers. */
  readonly words: readonly W[];
  readonly byCode: ReadonlyMap<number, W>;
}

function table<W extends string>(id: string, codes: Readonly<Record<W, number>>): CodeTable<W> {
  const words = (Object.keys(codes) as W[]).sort((a, b) => codes[a] - codes[b]);
  return { id, codes, words, byCode: new Map(words.map((word) => [codes[word], word])) };
}

/** `state` of a live call. Zero is left free so that no state can be taken for an absent one. */
export const callStateCodes = table('call state', {
  INITIAL: 1,
  ACCEPTED: 2,
  RINGING: 3,
  CONNECTED: 4,
  ON_HOLD: 5,
  HANGUP: 6,
  FAILED: 7,
});

/** `destination` (the direction) of a live call and a CDR. */
export const directionCodes = table('direction', { in: 0, out: 1, webcall: 2, callmeback: 3 });

/** `monitor_state` of a live call. The written words are acts: see monitorActs. */
export const monitorStateCodes = table('recording state', { off: 0, recording: 1, paused: 2 });

/** What the written `monitor_state` asks for, and the state that it leads to. */
export const monitorActs = { start: 'recording', pause: 'paused', resume: 'recording' } as const;

export const cdrTypeCodes = table('CDR type', { I: 0, O: 1, M: 2 });

/** The numbers of call states where the word is one; VM stands after them. */
export const dispositionCodes = table('CDR disposition', { INITIAL: 1, RINGING: 3, CONNECTED: 4, ON_HOLD: 5, VM: 8 });

/** Where an unanswered call goes: user, voicemail, ring group, IVR, queue, conference room, hang up. */
export const destinationTypeCodes = table('final destination', { U: 1, V: 2, R: 3, I: 4, Q: 5, C: 6, H: 7 });

/** Where a number leads: nowhere, or one of the above. */
export const targetTypeCodes = table('number target', { none: 0, U: 1, V: 2, R: 3, I: 4, Q: 5, C: 6, H: 7 });

export const twoFactorCodes = table('two-factor login', { D: 0, E: 1 });

/** Automatic recording: none, all, inbound only, outbound only. */
export const monitorModeCodes = table('automatic recording', { N: 0, A: 1, I: 2, O: 3 });

/** `ring_strategy` of a queue. */
export const queueStrategyCodes = table('queue strategy', {
  ring_all: 1,
  longest_idle: 2,
  fewest_calls: 3,
  round_robin: 4,
  linear: 5,
  random: 6,
});

/** `strategy` of a ring group. */
export const ringGroupStrategyCodes = table('ring group strategy', { ring_all: 1, hunt: 2, memory_hunt: 3, random: 4 });

export const faxStatusCodes = table('fax status', { queued: 0, sending: 1, sent: 2, received: 3, failed: 4 });
export const faxTypeCodes = table('fax type', { in: 0, out: 1 });
export const ddiStatusCodes = table('number status', { inactive: 0, active: 1 });
export const folderCodes = table('voice message folder', { inbox: 0, old: 1, saved: 2 });
export const contactTypeCodes = table('contact type', { contact: 1, lead: 2, company: 3 });
export const ruleDirectionCodes = table('routing rule direction', { in: 0, out: 1 });
export const languageCodes = table('announcement language', { en: 1, de: 2, fr: 3, es: 4, it: 5, nl: 6, pl: 7, pt: 8 });
export const cultureCodes = table('culture', {
  'en-GB': 1,
  'en-US': 2,
  'de-DE': 3,
  'fr-FR': 4,
  'es-ES': 5,
  'it-IT': 6,
  'nl-NL': 7,
  'pl-PL': 8,
});
export const positionCodes = table('widget position', { bottom_right: 1, bottom_left: 2, top_right: 3, top_left: 4 });
export const reportFormatCodes = table('report format', { pdf: 1, csv: 2, xlsx: 3 });
export const scheduleStatusCodes = table('report schedule status', { inactive: 0, active: 1, finished: 2 });
export const chatStateCodes = table('chat state', { waiting: 0, open: 1, closed: 2 });

/** Every table, for the choices and their tests. */
export const codeTables: readonly CodeTable[] = [
  callStateCodes,
  directionCodes,
  monitorStateCodes,
  cdrTypeCodes,
  dispositionCodes,
  destinationTypeCodes,
  targetTypeCodes,
  twoFactorCodes,
  monitorModeCodes,
  queueStrategyCodes,
  ringGroupStrategyCodes,
  faxStatusCodes,
  faxTypeCodes,
  ddiStatusCodes,
  folderCodes,
  contactTypeCodes,
  ruleDirectionCodes,
  languageCodes,
  cultureCodes,
  positionCodes,
  reportFormatCodes,
  scheduleStatusCodes,
  chatStateCodes,
];

export type CallState = (typeof callStateCodes.words)[number];
export type Direction = (typeof directionCodes.words)[number];
export type CdrType = (typeof cdrTypeCodes.words)[number];
export type Disposition = (typeof dispositionCodes.words)[number];
export type DestinationType = (typeof destinationTypeCodes.words)[number];

/** The number of a word of the table. */
export function codeOf<W extends string>(codes: CodeTable<W>, word: W): number {
  return codes.codes[word];
}

/** The word of a number; undefined when the table has none. */
export function wordOf<W extends string>(codes: CodeTable<W>, code: number): W | undefined {
  return codes.byCode.get(code);
}

/** True when the text is a word of the table. */
export function isWord<W extends string>(codes: CodeTable<W>, text: string): text is W {
  return Object.hasOwn(codes.codes, text);
}

/** `context` of live calls and CDRs: where the caller is. */
export const callContexts = [
  'USER_LOCAL',
  'PSTN_CALL',
  'IVR',
  'QUEUE',
  'RING_GROUP',
  'VOICEMAIL',
  'CONFERENCE',
  'FOLLOW_ME',
  'TEST_CALL',
] as const;
export type CallContext = (typeof callContexts)[number];

/** The `context` that events give for a call's: the specification knows these two words. */
export function eventContextOf(context: string): 'LOCAL_USER' | 'QUEUE' {
  return context === 'QUEUE' ? 'QUEUE' : 'LOCAL_USER';
}
