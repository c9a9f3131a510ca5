// Bytes that are too many to be read at every start, as ports: fetched part by part when somebody asks. Knows neither file nor what they are.

/** Bytes in parts, in memory or elsewhere. They never change. */
export interface Bulk {
  readonly count: number;
  /** From 0; undefined when it is not there any more. */
  part(at: number): Uint8Array | undefined;
}

/** What is to be kept beyond the process: `facts` as JSON holds them, known after every start, and the bytes. */
export interface Load {
  readonly facts: unknown;
  readonly bulk: Bulk;
  /** Told when all of it is kept: from then on `kept` gives the same bytes, and nobody has to hold them. */
  readonly onKept?: (kept: Bulk) => void;
}

/**
 * Told by whoever has such bytes: they are to be kept at that place of a section, instead of what is there; undefined when
 * they are gone. What is kept `later` is kept within a second, and no answer waits for it.
 */
export type Stow = (
  section: string,
  owner: number,
  key: number | string,
  load: Load | undefined,
  when?: 'now' | 'later',
) => void;

/** For whoever remembers in memory alone. */
export const stowNothing: Stow = () => {};

/** Parts that are held in memory. */
export function bulkOf(parts: readonly Uint8Array[]): Bulk {
  return { count: parts.length, part: (at) => parts[at] };
}

/** The same bytes in memory, wherever they are; those that are there. */
export function inMemory(bulk: Bulk): Bulk {
  const parts = Array.from({ length: bulk.count }, (_, at) => bulk.part(at));
  return bulkOf(parts.filter((one) => one !== undefined));
}
