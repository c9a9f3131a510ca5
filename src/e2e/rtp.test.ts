// Sound between two real phones: each hears the other through the exchange's ports, packet for packet, and the ports are given back.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SocketStage, within } from './sockets-stage.ts';
import { UdpPhone } from './udp-phone.ts';

/** An RTP packet (RFC 3550, 5.1) of 20 ms of PCMA, told apart by its sequence number. */
function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(172, 0xd5);
  bytes.writeUInt8(0x80, 0);
  bytes.writeUInt8(8, 1);
  bytes.writeUInt16BE(sequence, 2);
  return bytes;
}

describe('sound between two real phones', () => {
  let stage: SocketStage;
  let phones: UdpPhone[];

  beforeEach(async () => {
    stage = await SocketStage.open();
    phones = [new UdpPhone(stage, 0), new UdpPhone(stage, 1)];
    for (const phone of phones) {
      await phone.start();
      expect(await phone.register()).toBe(200);
    }
  });

  afterEach(async () => {
    for (const phone of phones) await phone.stop();
    await stage.close();
  });

  it('passes unchanged both ways, and the ports are free when the call is over', async () => {
    const [alice, bob] = phones as [UdpPhone, UdpPhone];
    await alice.call(stage.user(1).ext);
    await bob.rung;
    expect(stage.simulator.mediaPortsInUse).toBe(2);
    for (const sequence of [1, 2, 3]) alice.say(packet(sequence));
    expect(await bob.hear(3)).toEqual([packet(1), packet(2), packet(3)]);
    bob.say(packet(9));
    expect(await alice.hear(1)).toEqual([packet(9)]);
    alice.session?.end();
    expect(stage.simulator.world.exchange.liveCalls(1)).toHaveLength(1);
    await within(
      new Promise<void>((resolve) => {
        const stop = stage.simulator.journal.subscribe(({ kind }) => {
          if (kind !== 'call.closed') return;
          stop();
          resolve();
        });
      }),
      'the end of the call',
    );
    expect(stage.simulator.mediaPortsInUse).toBe(0);
  });
});
