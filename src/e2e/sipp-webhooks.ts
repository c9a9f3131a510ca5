// A webhook receiver on loopback that keeps what it is told and answers 200.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class WebhookReceiver {
  readonly bodies: Array<Readonly<Record<string, unknown>>> = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.bodies.push(JSON.parse(Buffer.concat(parts).toString()));
        response.end();
      });
    });
  }

  static async open(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
