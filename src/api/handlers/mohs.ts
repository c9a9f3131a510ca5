// Music on hold: read here, written by the administration.
import { reading } from '../records.ts';

export const mohHandlers = { getMoh: reading('mohs') };
