// Answers go where the request came from.
import { expect, it } from 'vitest';
import { ReturnPath } from './return-path.ts';
import type { Flow } from './wire.ts';

function flow(id: string): Flow {
  const place = { host: '127.0.0.1', port: 5060 };
  return {
    id,
    transport: 'TCP',
    reliable: true,
    external: true,
    local: place,
    remote: place,
    open: true,
    send: () => {},
  };
}

const head = (start: string, branch: string): string =>
  `${start}\r\nVia: SIP/2.0/TCP 127.0.0.1;branch=${branch}\r\nCSeq: 1 OPTIONS\r\n\r\n`;

it('finds the flow of the request for its answer, and the usual one for all else', () => {
  const usual = flow('usual');
  const other = flow('other');
  const path = new ReturnPath(usual);
  path.came(usual, head('OPTIONS sip:a SIP/2.0', 'z9hG4bK1'));
  path.came(other, head('OPTIONS sip:a SIP/2.0', 'z9hG4bK2'));
  expect(path.of(head('SIP/2.0 200 OK', 'z9hG4bK1')).id).toBe('usual');
  expect(path.of(head('SIP/2.0 200 OK', 'z9hG4bK2')).id).toBe('other');
  expect(path.of(head('OPTIONS sip:b SIP/2.0', 'z9hG4bK2')).id).toBe('usual');
});

it('forgets the oldest of more than 256', () => {
  const path = new ReturnPath(flow('usual'));
  const other = flow('other');
  for (let index = 0; index <= 256; index += 1) path.came(other, head('OPTIONS sip:a SIP/2.0', `z9hG4bK${index}`));
  expect(path.of(head('SIP/2.0 200 OK', 'z9hG4bK0')).id).toBe('usual');
  expect(path.of(head('SIP/2.0 200 OK', 'z9hG4bK1')).id).toBe('other');
});
