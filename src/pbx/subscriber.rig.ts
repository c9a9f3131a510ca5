// A phone for tests that knows SUBSCRIBE and nothing else, written down to the bytes: proves who it is, and answers what it is told.
import { answerChallenge, chooseChallenge } from '../sip/digest.ts';
import { bodyText } from '../sip/fields.ts';
import { memoryPair } from '../sip/memory-flow.ts';
import type { SipMessage, SipRequest } from '../sip/message.ts';
import { parseMessage } from '../sip/parse.ts';
import { DOMAIN, type Rig } from './exchange.rig.ts';

export class Subscriber {
  /** Status lines that it got, and of each NOTIFY its state and body. */
  readonly heard: string[] = [];
  /** What the NOTIFYs brought. */
  readonly bodies: string[] = [];
  /** Tag of the exchange in the dialog. */
  #toTag = '';
  #cseq = 0;
  readonly #rig: Rig;
  readonly #account: { readonly sip_username: string; readonly sip_password: string };
  readonly #flow;
  #challenge: string | undefined;

  constructor(rig: Rig, index: number) {
    const account = rig.customer.users[index];
    if (account === undefined) throw new Error(`there is no user ${index}`);
    this.#rig = rig;
    this.#account = account;
    const [mine] = memoryPair({
      clock: rig.clock,
      reliable: true,
      ends: [
        { address: { host: `lamp-${index}.example`, port: 5060 } },
        { address: { host: DOMAIN, port: 5060 }, listener: rig.exchange.listener },
      ],
    });
    this.#flow = mine;
    mine.listener = { received: (_, bytes) => this.#received(bytes), closed: () => {} };
  }

  /** Asks for a box, the second time with the password. */
  subscribe(box: string, expiresS: number, event = 'message-summary'): void {
    const known = this.#challenge;
    this.#send(box, expiresS, event);
    this.#rig.pass(0);
    if (this.#challenge !== known) this.#send(box, expiresS, event);
    this.#rig.pass(0);
  }

  #send(box: string, expiresS: number, event: string): void {
    this.#cseq += 1;
    const uri = `sip:${box}@${DOMAIN}`;
    const { sip_username: username, sip_password: password } = this.#account;
    const credentials =
      this.#challenge === undefined
        ? undefined
        : answerChallenge({
            ...{ challenge: this.#challenge, method: 'SUBSCRIBE', uri, username, password },
            ...{ cnonce: 'c0ffee', nc: this.#cseq },
          });
    const lines = [
      `SUBSCRIBE ${uri} SIP/2.0`,
      `Via: SIP/2.0/TCP lamp.example;branch=z9hG4bK-lamp-${this.#cseq}`,
      'Max-Forwards: 70',
      `From: <sip:${username}@${DOMAIN}>;tag=lamp`,
      `To: <${uri}>${this.#toTag === '' ? '' : `;tag=${this.#toTag}`}`,
      'Call-ID: lamp@lamp.example',
      `CSeq: ${this.#cseq} SUBSCRIBE`,
      'Contact: <sip:lamp@lamp.example>',
      `Event: ${event}`,
      `Expires: ${expiresS}`,
      ...(credentials === undefined ? [] : [`Proxy-Authorization: ${credentials}`]),
    ];
    this.#flow.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  }

  #received(bytes: Uint8Array): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const { message } = parsed;
    if (message.kind === 'request') return this.#answer(message);
    this.#challenge ??= chooseChallenge(message.headers.all('Proxy-Authenticate'));
    if (message.status === 200) this.#toTag = /;tag=([^;]+)/.exec(message.headers.get('To') ?? '')?.[1] ?? '';
    if (message.status !== 407) this.heard.push(String(message.status));
  }

  #answer(request: SipRequest): void {
    const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.headers.get(name)}`);
    this.#flow.send(Buffer.from(`${['SIP/2.0 200 OK', ...copied].join('\r\n')}\r\n\r\n`));
    this.bodies.push(bodyText(request));
    this.heard.push(`${stateOf(request)} ${countsIn(request)}`.trim());
  }
}

function stateOf({ headers }: SipMessage): string {
  return (headers.get('Subscription-State') ?? '').split(';')[0] ?? '';
}

/** `yes 2/8` of a message summary. */
export function countsIn(request: SipMessage): string {
  const body = bodyText(request);
  const waiting = /^Messages-Waiting: (\w+)\r$/m.exec(body)?.[1] ?? '';
  const counts = /^Voice-Message: (\S+)\r$/m.exec(body)?.[1] ?? '';
  return `${waiting} ${counts}`;
}
