// The header that a user wants on calls to its phone, so that the phone answers by itself. Knows no message.

/** Those that phones know for it, and whatever is nobody's standard: nothing that routes or describes the call. */
const ALLOWED = /^(alert-info|call-info|answer-mode|priv-answer-mode|p-auto-answer|x-[a-z0-9-]+)$/i;
const LONGEST = 255;

/** `Name: value` as the user has it; none where the text is none that may be sent (CHOICE-AUTO-ANSWER). */
export function autoAnswerHeader(text: string): ReadonlyArray<readonly [name: string, value: string]> {
  const [, name = '', value = ''] = /^\s*([A-Za-z0-9-]+)\s*:\s*([\x20-\x7e]+?)\s*$/.exec(text) ?? [];
  return ALLOWED.test(name) && text.length <= LONGEST ? [[name, value]] : [];
}
