// The number of a host that somebody named: asked once, by whoever may name hosts. Flows and datagrams never bring a name here.
import { lookup } from 'node:dns/promises';
import { familyOf } from './ip-address.ts';
import { plainWords } from './plain-words.ts';

/** The first address that the system gives for a host; a number is its own answer. Rejects with an error fit to be shown. */
export async function lookUpHost(host: string): Promise<string> {
  if (familyOf(host) !== undefined) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new Error(`${host}: ${plainWords(error)}`, { cause: error });
  }
}
