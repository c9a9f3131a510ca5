// The prompt catalogue: what the exchange says to callers, in words and in milliseconds. Makes no sound.

interface Prompt {
  readonly words: string;
  /** How long it is, spoken or played as a melody: whoever waits for its end waits this long. */
  readonly ms: number;
}

const prompt = (ms: number, words: string): Prompt => ({ ms, words });

export const PROMPTS = {
  // Voicemail, and the mailbox behind *97.
  'voicemail-greeting': prompt(
    5000,
    'The person you are calling is not available. Please leave a message after the tone.',
  ),
  'voicemail-saved': prompt(2000, 'Your message has been saved.'),
  'enter-extension': prompt(3500, 'Please enter the extension, followed by the hash key.'),
  'enter-pin': prompt(3000, 'Please enter your PIN, followed by the hash key.'),
  'wrong-pin': prompt(2000, 'That PIN is not right.'),
  'no-messages': prompt(2000, 'You have no messages.'),
  'new-messages': prompt(2000, 'New messages:'),
  'old-messages': prompt(2000, 'Old messages:'),
  'mailbox-menu': prompt(
    7000,
    'To hear the message again, press 1. To save it, 2. To delete it, 3. For the next one, press hash.',
  ),
  'message-saved': prompt(1500, 'Message saved.'),
  'message-deleted': prompt(1500, 'Message deleted.'),
  'end-of-messages': prompt(2000, 'There are no more messages.'),
  // Menus.
  'ivr-menu': prompt(3000, 'Please make your choice.'),
  invalid: prompt(2000, 'That is not a valid choice.'),
  'no-input': prompt(2500, 'You have not chosen anything.'),
  connecting: prompt(2500, 'Please hold while you are connected.'),
  goodbye: prompt(1000, 'Goodbye.'),
  // Queues and their agents.
  'queue-welcome': prompt(4000, 'All our agents are busy. Please wait.'),
  position: prompt(2500, 'Your position in the queue is:'),
  'wait-minutes': prompt(2500, 'The time to wait in minutes is about:'),
  'queue-exit': prompt(2500, 'To leave the queue, press hash.'),
  'agent-logged-in': prompt(1500, 'You are logged in.'),
  'agent-logged-out': prompt(1500, 'You are logged out.'),
  // Conferences.
  'conference-enter-pin': prompt(4000, 'Please enter the PIN of the conference, followed by the hash key.'),
  'conference-wrong-pin': prompt(2500, 'That PIN is not right.'),
  'conference-join': prompt(1500, 'Somebody has joined.'),
  'conference-leave': prompt(1500, 'Somebody has left.'),
  'conference-alone': prompt(2500, 'You are the only one in this conference.'),
  'conference-waiting': prompt(3000, 'The conference begins when its leader is there.'),
  'conference-full': prompt(2500, 'The conference is full.'),
  // Follow-me.
  'followme-announcement': prompt(3500, 'Please hold while the person you are calling is found.'),
  'followme-confirm': prompt(4000, 'A call for you. To take it, press 1. To refuse it, 2.'),
  // Other answers of the exchange.
  'not-available': prompt(3000, 'The person you are calling is not available.'),
  'unknown-number': prompt(2500, 'This number is not in use.'),
  'parked-at': prompt(2000, 'The call is parked at:'),
  'recording-on': prompt(2000, 'This call is being recorded.'),
  'recording-off': prompt(2000, 'The recording has ended.'),
  'echo-test': prompt(4000, 'You hear yourself until you hang up.'),
  // Digits, for numbers that are told one by one.
  'digit-0': prompt(500, 'zero'),
  'digit-1': prompt(500, 'one'),
  'digit-2': prompt(500, 'two'),
  'digit-3': prompt(500, 'three'),
  'digit-4': prompt(500, 'four'),
  'digit-5': prompt(500, 'five'),
  'digit-6': prompt(500, 'six'),
  'digit-7': prompt(500, 'seven'),
  'digit-8': prompt(500, 'eight'),
  'digit-9': prompt(500, 'nine'),
} as const satisfies Readonly<Record<string, Prompt>>;

export type PromptName = keyof typeof PROMPTS;

/** The prompts of a number: its digits one by one. Negative and broken numbers are told as 0. */
export function digitPrompts(number: number): PromptName[] {
  const digits = String(Number.isSafeInteger(number) && number > 0 ? number : 0);
  return [...digits].map((digit) => `digit-${digit}` as PromptName);
}

/** How long a text is when it is read aloud: so much for each character, a little more for the breath before it. */
const CHARACTER_MS = 70;
const BREATH_MS = 300;
/** Longer texts are read so far and no further. */
export const LONGEST_SPEECH_MS = 60_000;

/** The length of a text that somebody wrote, in whole tenths of a second: the same whether it is spoken or played as a melody. */
export function speechMs(text: string): number {
  const ms = BREATH_MS + CHARACTER_MS * [...text].length;
  return Math.min(LONGEST_SPEECH_MS, Math.ceil(ms / 100) * 100);
}
