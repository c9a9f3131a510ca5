// A step of the build, never loaded by the simulator: puts the files of the reference page into the folder named.

import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assets } from '../docs/assets.ts';
import { sourceOf } from './docs-files.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('copy-docs needs a folder: node src/wires/copy-docs.ts dist/docs/assets');
mkdirSync(folder, { recursive: true });
for (const asset of assets) copyFileSync(sourceOf(asset), join(folder, asset.name));
