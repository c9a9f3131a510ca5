// ASN.1 as certificates need it, written in DER (ITU-T X.690). Writes only, and knows nothing of certificates.

const SHORT_LENGTH = 0x80;

/** Contents under a tag, with the shortest length (X.690, 10.1). */
export function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < SHORT_LENGTH) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([tag, SHORT_LENGTH | length.length]), length, body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts);
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const yes = (): Buffer => tagged(0x01, Buffer.from([0xff]));

/** A number from 0 on, its bytes with the highest first (X.690, 8.3 and 10.2: no needless zeros, and none that reads as negative). */
export function integer(bytes: Uint8Array): Buffer {
  let from = 0;
  while (from < bytes.length - 1 && bytes[from] === 0) from += 1;
  const shortest = bytes.subarray(from);
  return (shortest[0] ?? 0) < 0x80 ? tagged(0x02, shortest) : tagged(0x02, Buffer.from([0]), shortest);
}

/** Whole bytes of bits, or with so many unused bits in the last one (X.690, 8.6). */
export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return tagged(0x03, Buffer.from([unused]), bytes);
}

/** `1.2.840.10045.4.3.2` (X.690, 8.19). */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
  return digits;
}

/** A moment in whole seconds, in the form that certificates take: two digits of the year before 2050 (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const text = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return Number(text.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}
