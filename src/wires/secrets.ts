// Chance that nobody can guess, for what protects a real network. Everything else is drawn from the seed.
import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;

/** Safe in URLs and headers. */
export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
