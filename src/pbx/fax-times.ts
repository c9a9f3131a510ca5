// How long a fax takes, and how much of it has come after so long: pages are told by time alone. Data and arithmetic.

/** From the answer to the first line of the first page: the machines agree on how they talk (ITU-T T.30, phases A and B). */
export const HANDSHAKE_MS = 10_000;
/** One page at 14,400 bit/s. */
export const PAGE_MS = 30_000;
/** Pages that a fax may have. */
export const MAX_PAGES = 200;

/** How long the sender stays on the line. */
export function transmissionMs(pages: number): number {
  return HANDSHAKE_MS + pages * PAGE_MS;
}

/** Whole pages that have come after so long. */
export function pagesAfter(connectedMs: number): number {
  return Math.min(MAX_PAGES, Math.max(0, Math.floor((connectedMs - HANDSHAKE_MS) / PAGE_MS)));
}
