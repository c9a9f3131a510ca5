// Routing rules: what is blocked and what goes elsewhere, by direction.
import { changing, listing, making, reading } from '../records.ts';

export const routingRuleHandlers = {
  listRoutingRules: listing('routingrules'),
  createRoutingRule: making('routingrules'),
  getRoutingRule: reading('routingrules'),
  updateRoutingRule: changing('routingrules'),
};
