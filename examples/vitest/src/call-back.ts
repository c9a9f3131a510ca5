// The application under test: when a call from outside is missed, it calls back from the phone of whoever missed it.
import { createServer, type Server } from 'node:http';

export interface Telephony {
  /** Where the API's paths begin: https://.../v1.1/pbx */
  readonly apiRoot: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
}

interface MissedCall {
  readonly event_name: string;
  readonly src: string;
  readonly src_id: number;
}

/** Receives webhooks; `calledBack` lists the numbers that it has called back. */
export function callBackService(telephony: Telephony): Server & { readonly calledBack: string[] } {
  const calledBack: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', async () => {
      const event = JSON.parse(text) as MissedCall;
      const isFromOutside = event.event_name === 'call.missed' && event.src_id === 0;
      const status = isFromOutside ? await callBack(telephony, event.src) : 204;
      if (isFromOutside && status === 204) calledBack.push(event.src);
      response.writeHead(status).end();
    });
  });
  return Object.assign(server, { calledBack });
}

/** 503 when the API did not take it: the webhook comes again. */
async function callBack({ apiRoot, authorization }: Telephony, to: string): Promise<number> {
  const response = await fetch(`${apiRoot}/calls`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ to }),
  });
  return response.ok ? 204 : 503;
}
