// What a bench reports: one line of the table.

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The value over that of a peer measured in the same run. */
  readonly ratio?: { readonly value: number; readonly peer: string };
  readonly aim?: Aim;
}

/** What we want of the value, or of the ratio. Nothing fails when it is missed. */
export interface Aim {
  readonly of: 'value' | 'ratio';
  readonly sense: 'at least' | 'at most';
  readonly figure: number;
}

export const atLeast = (figure: number): Aim => ({ of: 'value', sense: 'at least', figure });
export const atMost = (figure: number): Aim => ({ of: 'value', sense: 'at most', figure });
export const ratioAtLeast = (figure: number): Aim => ({ of: 'ratio', sense: 'at least', figure });

/** Undefined where there is no aim. */
export function meetsAim({ value, ratio, aim }: Row): boolean | undefined {
  if (aim === undefined) return undefined;
  const figure = aim.of === 'value' ? value : (ratio?.value ?? Number.NaN);
  return aim.sense === 'at least' ? figure >= aim.figure : figure <= aim.figure;
}
