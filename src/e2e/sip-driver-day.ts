// A process that uses the `sip` driver over each wire and then has nothing more to do: it ends by itself only when nothing is left open.

import { SipDriverStage } from './sip-driver-stage.ts';
import { WIRES } from './sockets-peer.ts';

for (const wire of WIRES) {
  const on = await SipDriverStage.open(wire);
  await on.stage.behave('102', { on_call: 'answer', after_ms: 0 });
  // Whoever calls the one who falls asleep is led nowhere else.
  await on.stage.control('PATCH', `/records/users/${on.stage.user(5).user_id}`, { final_dst_type: 'H' });
  const [talks, rings, calls] = await Promise.all([on.phone(0), on.phone(2), on.phone(3)]);
  const [vanishes, sleeps] = await Promise.all([on.phone(4), on.phone(5)]);
  await talks.act({ act: 'call', to: '102' });
  await on.inCall(talks, 'connected');
  await calls.act({ act: 'call', to: rings.number });
  await vanishes.act({ act: 'call', to: rings.number });
  await on.sees(rings, 'two calls', (view) => view.calls.length === 2);
  const { call_id } = await on.stage.act('107', 'call', { to: sleeps.number });
  await on.inCall(sleeps, 'ringing');
  await vanishes.act({ act: 'vanish' });
  await sleeps.act({ act: 'vanish' });
  await on.driver.close();
  // The exchange hears that a connection is closed, and nothing of a datagram that does not come.
  if (wire === 'UDP') await on.stage.act('107', 'hangup');
  await on.callOver(Number(call_id));
  const { body } = await on.stage.api('GET', '/calls');
  process.stdout.write(`${wire}: ${body.total} calls left\n`);
  await on.stage.close();
}
