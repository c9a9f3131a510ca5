// Header fields: one name however it is written, order kept, no line ever split.
import { describe, expect, it } from 'vitest';
import { Headers, headerKey } from './headers.ts';

describe('names', () => {
  it('are one, in full, compact, or in any case', () => {
    expect(['Via', 'via', 'VIA', 'v', 'V', 'vIa'].map(headerKey)).toEqual(Array(6).fill('via'));
    expect(['x', 'r', 'b', 'y', 'k'].map(headerKey)).toEqual([
      'session-expires',
      'refer-to',
      'referred-by',
      'identity',
      'supported',
    ]);
    expect(headerKey('X-Unknown')).toBe('x-unknown');
    expect(headerKey('z')).toBe('z');
  });

  it('that the object prototype has are no headers', () => {
    const headers = Headers.of([['constructor', '1']]);
    expect(headers.get('__proto__')).toBeUndefined();
    expect(headers.get('constructor')).toBe('1');
  });
});

describe('fields', () => {
  const headers = (): Headers =>
    Headers.of([
      ['v', 'one'],
      ['To', '<sip:a>'],
      ['Via', 'two'],
      ['x-own', 'kept'],
    ]);
  const names = (from: Headers): string[] => [...from].map(({ name, value }) => `${name}=${value}`);

  it('keep their order', () => {
    expect(names(headers())).toEqual(['Via=one', 'To=<sip:a>', 'Via=two', 'x-own=kept']);
    expect(headers().all('via')).toEqual(['one', 'two']);
    expect([headers().count('v'), headers().count('To'), headers().count('From'), headers().size]).toEqual([
      2, 1, 0, 4,
    ]);
  });

  it('are put first, replaced in place, deleted', () => {
    expect(headers().prepend('Via', 'zero').all('Via')).toEqual(['zero', 'one', 'two']);
    expect(names(headers().set('via', 'new'))).toEqual(['Via=new', 'To=<sip:a>', 'x-own=kept']);
    expect(names(headers().set('From', 'x'))).toEqual([...names(headers()), 'From=x']);
    expect(names(headers().delete('V'))).toEqual(['To=<sip:a>', 'x-own=kept']);
  });

  it('of a copy are its own', () => {
    const original = headers();
    original.copy().append('From', 'x').delete('To');
    expect(names(original)).toEqual(names(headers()));
  });

  it('never hold a line break', () => {
    expect(Headers.of([['Subject', 'a\r\n b\rc\n\n\td']]).get('Subject')).toBe('a b c d');
  });
});
