// The partial order of expected events: chains such as `ringing < connected < hangup`. Knows no event.

/** The earlier and the later of two expectations. */
export type Before = readonly [string, string];

export type OrderReading =
  | { readonly ok: true; readonly pairs: readonly Before[] }
  | { readonly ok: false; readonly why: string };

/** Reads chains of names; each must be known, and nothing may come before itself. */
export function readOrder(chains: string | readonly string[], known: readonly string[]): OrderReading {
  const pairs: Before[] = [];
  for (const chain of [chains].flat()) {
    const names = chain.split('<').map((name) => name.trim());
    if (names.length < 2) return { ok: false, why: `expected a chain such as a < b, found ${chain}` };
    const stranger = names.find((name) => !known.includes(name));
    if (stranger !== undefined) {
      return { ok: false, why: `unknown: ${stranger || 'nothing'}, expected one of ${known.join(', ')}` };
    }
    for (const [index, later] of names.entries()) {
      const earlier = names[index - 1];
      if (earlier !== undefined) pairs.push([earlier, later]);
    }
  }
  const loop = known.find((name) => reaches(name, name, pairs));
  return loop === undefined
    ? { ok: true, pairs }
    : { ok: false, why: `expected an order, but ${loop} comes before itself` };
}

function reaches(from: string, to: string, pairs: readonly Before[], seen = new Set<string>()): boolean {
  return pairs.some(([earlier, later]) => {
    if (earlier !== from || seen.has(later)) return false;
    seen.add(later);
    return later === to || reaches(later, to, pairs, seen);
  });
}
