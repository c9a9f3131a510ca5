// The application as it runs: webhooks reach it over HTTP, and it calls the simulator's API.
import type { AddressInfo } from 'node:net';
import type { PbxSimulator } from 'pbxsim';
import { simulatorTest } from 'pbxsim/vitest';
import { expect } from 'vitest';
import { callBackService } from '../src/call-back.ts';

const test = simulatorTest.extend({ simulatorOptions: { allowHttpWebhooks: true } });

async function serviceFor(simulator: PbxSimulator) {
  const service = callBackService({ apiRoot: simulator.apiRoot, authorization: simulator.authorization('agent') });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  await simulator.webhooks.add({ url: `http://127.0.0.1:${port}/`, events: ['missed'] });
  const close = (): void => {
    service.closeAllConnections();
    service.close();
  };
  return { service, [Symbol.dispose]: close };
}

test('a missed call from outside is called back', async ({ simulator }) => {
  using running = await serviceFor(simulator);
  simulator.phones.behaviour('101', 'decline');
  simulator.trunk.call({ from: '+442079469999', to: simulator.numbers[0] ?? '' });
  await simulator.clock.advance('10s');
  expect(running.service.calledBack).toEqual(['+442079469999']);
  expect(simulator.trunk.calls()).toMatchObject([{ number: '+442079469999', state: 'connected' }]);
});

test('while the API is down nothing is lost: the webhook comes again', async ({ simulator }) => {
  using running = await serviceFor(simulator);
  const down = { match: { at: 'api', operation: 'createCall' }, action: { do: 'status', status: 500 } } as const;
  simulator.faults.set({ ...down, times: 2 });
  simulator.phones.behaviour('101', 'decline');
  simulator.trunk.call({ from: '+442079469999', to: simulator.numbers[0] ?? '' });
  await simulator.clock.settled();
  expect(running.service.calledBack).toEqual([]);
  await simulator.clock.advance('1h');
  expect(running.service.calledBack).toEqual(['+442079469999']);
});
