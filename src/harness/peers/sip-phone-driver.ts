// The `sip` driver: phones that are sip.js user agents, at any target that speaks SIP. Knows no scenario and no target's API.
import type { TimeHost } from '../../kernel/clock.ts';
import { systemTime } from '../../wires/system-time.ts';
import type { PhoneDriver } from '../drivers/phone-driver.ts';
import { SipPhone } from './sip-phone.ts';
import { openTcpWire } from './transport-tcp.ts';
import { openUdpWire } from './transport-udp.ts';
import { openWebSocketWire } from './transport-ws.ts';
import type { OpenWire, SipServer } from './wire.ts';

export interface SipPhoneDriverOptions {
  /** Host part of the phones' addresses: `sip:101@domain`. */
  readonly domain: string;
  /** Where they register, and send all they say. */
  readonly server: SipServer;
  /** Another way to the server, a lossy one say; `usual` is the one that is meant by `server`. */
  readonly wire?: (usual: OpenWire) => OpenWire;
  /** Default: the system's. */
  readonly time?: TimeHost;
}

/** Opening a phone rejects with `PhoneTrouble` when it has no account, no connection, or is refused registration. */
export function sipPhoneDriver(options: SipPhoneDriverOptions): PhoneDriver {
  const { domain, server, wire = (usual) => usual, time = systemTime() } = options;
  const openWire = wire(wireTo(server));
  const phones = new Set<SipPhone>();
  const onClosed = (phone: SipPhone): void => void phones.delete(phone);
  return {
    name: 'sip',
    open: async (line, conduct) => {
      const phone = await SipPhone.open({ time, openWire, domain, onClosed }, line, conduct);
      phones.add(phone);
      return phone;
    },
    close: async () => {
      await Promise.all([...phones].map((phone) => phone.close()));
    },
  };
}

function wireTo(server: SipServer): OpenWire {
  switch (server.transport) {
    case 'ws':
      return openWebSocketWire(server.url);
    case 'tcp':
      return openTcpWire(server);
    case 'udp':
      return openUdpWire(server);
  }
}
