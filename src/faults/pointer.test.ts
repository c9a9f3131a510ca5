// JSON pointers: the examples of RFC 6901, section 5, and what may be changed where.
import { describe, expect, it } from 'vitest';
import { changeAt, readPointer } from './pointer.ts';

describe('a pointer', () => {
  it.each([
    ['', []],
    ['/foo', ['foo']],
    ['/foo/0', ['foo', '0']],
    ['/', ['']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/ ', [' ']],
  ])('%j is read', (text, tokens) => expect(readPointer(text)).toEqual(tokens));

  it.each(['foo', '#/foo', '/~', '/a~2b'])('%j is none', (text) => expect(readPointer(text)).toBeUndefined());
});

describe('a change', () => {
  const body = { data: [{ id: 1, name: 'Ada' }, { id: 2 }], total: 2 };
  const at = (pointer: string, value?: string | number | null) => changeAt(body, readPointer(pointer) ?? [], value);

  it('replaces, adds and removes members and elements, and leaves the rest alone', () => {
    expect(at('/total', 'two')).toEqual({ ...body, total: 'two' });
    expect(at('/data/0/name', null)).toEqual({ data: [{ id: 1, name: null }, { id: 2 }], total: 2 });
    expect(at('/data/1/name', 'Bob')).toEqual({
      data: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
      total: 2,
    });
    expect(at('/data/0/name')).toEqual({ data: [{ id: 1 }, { id: 2 }], total: 2 });
    expect(at('/data/1')).toEqual({ data: [{ id: 1, name: 'Ada' }], total: 2 });
    expect(at('/data/-', 7)).toEqual({ data: [{ id: 1, name: 'Ada' }, { id: 2 }, 7], total: 2 });
    expect(at('', 'all')).toBe('all');
    expect(body).toEqual({ data: [{ id: 1, name: 'Ada' }, { id: 2 }], total: 2 });
  });

  it('keeps the order of members', () => {
    expect(JSON.stringify(at('/data', 0))).toBe('{"data":0,"total":2}');
  });

  it('does not happen where there is no such place', () => {
    for (const pointer of ['/none', '/data/2', '/data/-', '/data/01', '/data/0/name/x', '/data/x']) {
      expect([pointer, at(pointer)]).toEqual([pointer, undefined]);
    }
    for (const pointer of ['/none/x', '/data/3', '/data/2/id', '/total/x']) {
      expect([pointer, at(pointer, 1)]).toEqual([pointer, undefined]);
    }
  });

  it('takes __proto__ for a member like any other', () => {
    const changed = changeAt({ a: 1 }, ['__proto__'], { polluted: true });
    expect(JSON.stringify(changed)).toBe('{"a":1,"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
