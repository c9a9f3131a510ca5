// Plausible names from the seed, through faker. Knows no record.
import { faker as loaded } from '@faker-js/faker/locale/en';
import type { Random } from '../../kernel/random.ts';

/** What the seed world needs invented. Same random, same answers. */
export interface Invention {
  firstName(): string;
  lastName(): string;
  companyName(): string;
}

/**
 * An instance of our own on our own chance. The light locale module gives only a ready-made instance, so its class and
 * its definitions are taken from there: the whole package costs four times as much to load.
 */
export function inventionFrom(random: Random): Invention {
  const Faker = loaded.constructor as new (options: FakerOptions) => typeof loaded;
  const randomizer = { next: () => random.float(), seed: () => {} };
  const faker = new Faker({ locale: loaded.rawDefinitions, randomizer });
  return {
    firstName: () => faker.person.firstName(),
    lastName: () => faker.person.lastName(),
    companyName: () => faker.company.name(),
  };
}

interface FakerOptions {
  readonly locale: typeof loaded.rawDefinitions;
  readonly randomizer: { next(): number; seed(value: number | number[]): void };
}
