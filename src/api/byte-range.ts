// Which bytes of a file a request asks for: RFC 9110, section 14. Knows no file.

/** The first and the last byte, counted from 0; `unsatisfiable` when the file has none of those that are asked for. */
export type ByteRange = { readonly first: number; readonly last: number } | 'unsatisfiable';

/**
 * The one range of a Range header (RFC 9110, 14.1.2) within a file of `size` bytes. Undefined where the whole file is the
 * answer: no header, another unit, several ranges, or text that is no range (RFC 9110, 14.2).
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last };
}
