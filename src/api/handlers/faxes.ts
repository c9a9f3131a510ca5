// Faxes, sent and received: read here, written by the administration.
import { listing } from '../records.ts';

export const faxHandlers = { listFaxes: listing('faxes') };
