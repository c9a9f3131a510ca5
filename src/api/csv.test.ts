// CSV as others read it: Python's parser finds every cell again, and no cell begins what a spreadsheet would compute.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Cdr } from '../contract/resources/history.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';
import { csvOf } from './csv.ts';

const USER = 10_000_003;
const columns = [
  ...['id', 'duration', 'live_id', 'parent_live_id', 'user_id', 'sip_endpoint_id', 'server_id', 'type', 'calldate'],
  ...['clid', 'src_id', 'src_name', 'src', 'src_ua', 'src_codec', 'dst_id', 'dst', 'dst_name', 'dst_ua', 'dst_codec'],
  ...['billsec', 'disposition', 'destination', 'context', 'rate', 'charge', 't_cause', 'info', 'call_id'],
];

/** Rows of cells, by a parser that is not ours. */
function parsed(text: string): string[][] {
  const program =
    'import csv,io,json,sys; print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline=""), strict=True))))';
  return JSON.parse(execFileSync('python3', ['-c', program], { input: text, maxBuffer: 2 ** 28 }).toString());
}

function tableOf(cells: readonly unknown[]): string {
  return [
    ...csvOf(
      ['a'],
      cells.map((a) => ({ a })),
    ),
  ].join('');
}

describe('cells', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['a;b', '"a;b"'],
    [' padded ', '" padded "'],
    ['', ''],
    [0, '0'],
    [-1.5, '-1.5'],
    [true, 'true'],
    [null, ''],
    ['+442079460101', '+442079460101'],
    ['-12', '-12'],
    ['=1+1', `"'=1+1"`],
    ['+1+1', `"'+1+1"`],
    ['-2+3', `"'-2+3"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    [' =1', `"' =1"`],
    ['＝1+1', `"'＝1+1"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('%j is written as %j', (value, cell) => {
    expect(tableOf([value])).toBe(`a\r\n${cell}\r\n`);
  });

  test('whatever they hold, another parser finds them again and nothing begins a formula', () => {
    const unit = fc.constantFrom(...'=+-@\t\r\n",;\' aA1＝');
    const nasty = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii' }), fc.string({ unit }));
    // One process parses them all: the seed stands here in place of a report.
    const texts = fc.sample(nasty, { numRuns: 5000, seed: 20_261_121 }).map((text) => text.replaceAll('\0', ''));
    const [head, ...rows] = parsed(tableOf(texts));
    expect(head).toEqual(['a']);
    expect(rows).toHaveLength(texts.length);
    for (const [at, [cell = '']] of rows.entries()) {
      const text = texts[at] ?? '';
      expect([text, `'${text}`]).toContain(cell);
      if (!/^[+-]?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    }
  });
});

function ask(stage: Stage, path: string, who: keyof Stage['people'] = 'admin') {
  return request(stage.api).get(`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who]));
}

describe('GET /users/{id}/cdrs.csv', () => {
  test('has a header and a line for each call of the user', async () => {
    const stage = createStage();
    const { store } = stage;
    const cdr = [...store.cdrs.list(1)].find(({ user_id }) => user_id === USER) as Cdr;
    const hostile = {
      src_name: "=cmd|'/C calc'!A0",
      info: 'line\r\n"quoted", and more',
      dst_name: '@x',
      src: '+442079460911',
    };
    store.cdrs.insert(1, { ...cdr, ...hostile, id: store.cdrs.nextId(1) });
    const answer = await ask(stage, `/users/${USER}/cdrs.csv`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="user-${USER}-cdrs.csv"`);
    const [header, ...rows] = parsed(answer.text);
    expect(header).toEqual(columns);
    const wanted = [...store.cdrs.list(1)].filter(
      ({ user_id, src_id, dst_id }) => user_id === USER || [src_id, dst_id].includes(`${USER}`),
    );
    expect(rows.map(([id]) => Number(id))).toEqual(wanted.map(({ id }) => id));
    const at = (name: string) => rows.at(-1)?.[columns.indexOf(name)];
    expect([at('src_name'), at('info'), at('dst_name'), at('src')]).toEqual([
      `'${hostile.src_name}`,
      hostile.info,
      "'@x",
      '+442079460911',
    ]);
    expect(answer.text.endsWith('\r\n')).toBe(true);
  });

  test('takes a filter, and a page where one is asked for', async () => {
    const stage = createStage();
    const filter = encodeURIComponent(JSON.stringify([{ property: 'type', operator: 'eq', value: 'O' }]));
    const rows = parsed((await ask(stage, `/users/${USER}/cdrs.csv?filter=${filter}`)).text).slice(1);
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows.map((row) => row[columns.indexOf('type')]))).toEqual(new Set(['O']));
    const page = parsed((await ask(stage, `/users/${USER}/cdrs.csv?filter=${filter}&limit=1&sort=-id`)).text).slice(1);
    expect(page).toEqual([rows.at(-1)]);
    const refused = await ask(stage, `/users/${USER}/cdrs.csv?filter=x`);
    expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringContaining('filter: ')]);
    expect((await ask(stage, `/users/${USER}/cdrs.csv`, 'restricted')).status).toBe(403);
  });

  test('100,000 lines leave piece by piece: others are served meanwhile', async () => {
    const stage = createStage();
    const { store, api } = stage;
    const cdr = [...store.cdrs.list(1)].find(({ user_id }) => user_id === USER) as Cdr;
    store.cdrs.load(
      1,
      Array.from({ length: 100_000 }, () => ({ ...cdr, id: store.cdrs.nextId(1) })),
    );
    const server = createServer(api);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.1/pbx`;
    const headers = { Authorization: keyOf(stage.people.admin) };
    const answer = await fetch(`${url}/users/${USER}/cdrs.csv`, { headers });
    let lines = 0;
    let served = 0;
    let bytesAtFirst: number | undefined;
    let bytes = 0;
    const other = fetch(`${url}/ping`, { headers }).then(() => {
      served = 1;
      bytesAtFirst = bytes;
    });
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines += 1;
    }
    await other;
    server.close();
    expect(lines).toBeGreaterThan(100_000);
    expect(served).toBe(1);
    expect(bytesAtFirst).toBeLessThan(bytes / 2);
  });
});
