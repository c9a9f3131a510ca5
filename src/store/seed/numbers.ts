// Telephone numbers for seeded accounts, all from ranges that are reserved for fiction. Knows no record.
//
// Ofcom keeps +44 20 7946 0xxx for drama, North America 555-01xx. +44 20 7946 00xx is left alone: there the trunk's magic
// numbers live. 01xx to 08xx belong to the first eight customers, 09xx is the outside world, later customers get 555-01xx.
import { BrokenInvariant } from '../../kernel/errors.ts';

/** The most numbers that one seeded account gets. */
export const NUMBERS_PER_CUSTOMER = 12;

const LONDON_CUSTOMERS = 8;
const FIRST_AREA = 201;
const LAST_AREA = 998;
const CUSTOMERS_PER_AREA = Math.floor(100 / NUMBERS_PER_CUSTOMER);

/** How many accounts can be seeded before the fictional numbers run out. */
export const MAX_SEEDED_CUSTOMERS = LONDON_CUSTOMERS + (LAST_AREA - FIRST_AREA + 1) * CUSTOMERS_PER_AREA;

/** The account's own numbers in E.164 with `+`; no two accounts share one. `index` counts from 0. */
export function ownNumber(customerId: number, index: number): string {
  if (customerId < 1 || customerId > MAX_SEEDED_CUSTOMERS || index < 0 || index >= NUMBERS_PER_CUSTOMER) {
    throw new BrokenInvariant(
      `no number ${index} for customer ${customerId}`,
      `fiction has ${NUMBERS_PER_CUSTOMER} each for ${MAX_SEEDED_CUSTOMERS} customers`,
      'check against MAX_SEEDED_CUSTOMERS first',
    );
  }
  if (customerId <= LONDON_CUSTOMERS) return `+442079460${customerId}${twoDigits(index + 1)}`;
  const slot = customerId - LONDON_CUSTOMERS - 1;
  const area = FIRST_AREA + Math.floor(slot / CUSTOMERS_PER_AREA);
  return `+1${area}55501${twoDigits((slot % CUSTOMERS_PER_AREA) * NUMBERS_PER_CUSTOMER + index)}`;
}

/** Somebody on the public network, `index` from 0 to 99. */
export function outsideNumber(index: number): string {
  return `+4420794609${twoDigits(index % 100)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
