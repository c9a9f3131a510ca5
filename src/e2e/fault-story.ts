// How it is told that a scenario can fail: the scenario, a deliberate fault, and what the scenario then says.

export interface Fault {
  readonly match: Readonly<Record<string, string>>;
  readonly action: Readonly<Record<string, unknown>>;
  readonly after?: number;
  readonly times?: number;
}

/** A scenario, the fault, and what the scenario then says: number of the step, expected, actual. */
export type Story = readonly [string, Fault, string, string, string];

export const api = (operation: string, action: Fault['action'], after = 0): Fault => ({
  match: { at: 'api', operation },
  action,
  ...(after === 0 ? {} : { after }),
});

export const webhook = (event: string, action: Fault['action']): Fault => ({ match: { at: 'webhook', event }, action });

export const field = (pointer: string, value?: unknown): Fault['action'] => ({ do: 'field', pointer, value });

export const sip = (method: string, direction: 'in' | 'out', action: Fault['action'] = { do: 'drop' }): Fault => ({
  match: { at: 'sip', method, direction },
  action,
});
