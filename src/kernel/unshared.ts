// Texts that are kept longer than the message they were cut from. Knows no message.

/** Shorter texts never share their characters with the longer one they were cut from. */
const SHARES_FROM = 13;

/** A text of its own: one that was cut from a message or put together from parts would hold on to all of it. */
export function unshared(text: string): string {
  if (text.length < SHARES_FROM) return text;
  const copy = Buffer.from(text).toString();
  return copy === text ? copy : text;
}
