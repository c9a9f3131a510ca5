// Call me back: what a widget shows names its button and the number from which visitors are called.
import type { Stored } from '../../stored.ts';
import { numberNamed } from '../numbers.ts';
import { rulesFor } from '../rules.ts';

/** Settings, websites, calls and visitors are of one shape: CHOICE-CALLMEBACK-SHAPES. */
export const callMeBackRules = rulesFor<Stored['callmebacksettings']>({
  references: { call_me_back_button: 'callmebackbuttons' },
  problems: (ground, { ddi }, before) =>
    ddi === 0 || ddi === before?.ddi || numberNamed(ground, ddi) !== undefined
      ? []
      : [`ddi: there is no number ${ddi} in this account`],
});

export const buttonRules = rulesFor<Stored['callmebackbuttons']>({});
