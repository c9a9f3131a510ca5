// Files of the reference page on disk: in a built package all in one folder, in a checkout where each comes from. Knows no HTTP.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asset } from '../docs/assets.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** The folder that the build fills. */
const built = join(docs, 'assets');

/** Where a checkout has the file. */
export function sourceOf({ origin, file }: Asset): string {
  const folder =
    origin === 'page'
      ? join(docs, 'page')
      : dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  return join(folder, file);
}

/** The content of a file; rejects when neither place has it. */
export async function readDocsFile(asset: Asset): Promise<Uint8Array> {
  const path = join(built, asset.name);
  return readFile(existsSync(path) ? path : sourceOf(asset));
}
