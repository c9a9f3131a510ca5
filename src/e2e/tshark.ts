// tshark as an independent reader of captures.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

export const interop = process.env.PBXSIM_INTEROP !== 'off';
if (!interop) console.log('PBXSIM_INTEROP=off: the tests with tshark are left out.');

const FIELDS = [
  'frame.time_epoch',
  'ip.src',
  'ip.dst',
  'udp.srcport',
  'udp.dstport',
  'sip.Method',
  'sip.Status-Code',
  'sip.CSeq.method',
];

/** One line for each packet. Fails when tshark finds a wrong checksum, something malformed, or anything that is not SIP. */
export function tshark(pcap: Uint8Array, fields: readonly string[] = FIELDS): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-traces-'));
  try {
    return readWith(join(folder, 'call.pcap'), pcap, fields);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readWith(path: string, pcap: Uint8Array, fields: readonly string[]): string[] {
  writeFileSync(path, pcap);
  const checks = ['ip', 'udp', 'tcp'].flatMap((protocol) => ['-o', `${protocol}.check_checksum:TRUE`]);
  const read = (...args: string[]): string[] => {
    const { stdout, status, stderr } = spawnSync('tshark', ['-r', path, ...checks, ...args]);
    expect(status, stderr.toString()).toBe(0);
    return stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  };
  const wrong =
    '_ws.malformed || ip.checksum.status == "Bad" || udp.checksum.status == "Bad" || tcp.checksum.status == "Bad"';
  expect(read('-Y', wrong)).toEqual([]);
  return read('-Y', 'sip', '-T', 'fields', ...fields.flatMap((field) => ['-e', field])).map((line) =>
    line.replaceAll('\t', ' '),
  );
}
