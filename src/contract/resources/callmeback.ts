// Call-me-back websites, settings and buttons, published in one shape. Knows no call.

import type { Static } from 'typebox';
import { cultureCodes, positionCodes } from '../codes.ts';
import { coded, e164, name, text, timestamp, wordOrCode, writtenId, writtenReference } from '../fields.ts';
import type { ResourceRow } from '../resource.ts';
import { array, body, boolean, either, integer, number, record, string } from '../schema.ts';

export const CallMeBackSchema = record({
  id: integer(),
  allowed_countries: string({ description: 'country codes with commas' }),
  call_me_back_button: integer({ description: 'id of the button, 0 for none' }),
  created_at: timestamp,
  culture: coded(cultureCodes),
  ddi: integer({ description: 'the number, digits only, 0 for none' }),
  floating_icon: boolean(),
  show_to_allowed_countries_only: boolean(),
  max_call_rate: number(),
  name: string(),
  privacy_policy_url: string(),
  title: string(),
  welcome_screen_msg: string(),
  position: coded(positionCodes),
});
export type CallMeBack = Static<typeof CallMeBackSchema>;

const settingMembers = {
  button_id: writtenReference,
  call_me_back_button: writtenReference,
  name,
  position: wordOrCode(positionCodes),
  floating_icon: boolean(),
  culture: wordOrCode(cultureCodes),
  allowed_countries: either(array(string(), { maxItems: 300 }), text),
  show_to_allowed_countries_only: boolean(),
  welcome_screen_msg: text,
  privacy_policy_url: string({ maxLength: 2048 }),
  ddi_e164: either(writtenId, e164),
  ddi: writtenReference,
  max_call_rate: number({ minimum: 0 }),
};
export const CreateCallMeBackSettingBody = body(settingMembers, ['name']);
export type CreateCallMeBackSettingBody = Static<typeof CreateCallMeBackSettingBody>;
export const UpdateCallMeBackSettingBody = body(settingMembers, []);
export type UpdateCallMeBackSettingBody = Static<typeof UpdateCallMeBackSettingBody>;

const buttonMembers = { name, data_online: text, data_offline: text };
export const CreateCallMeBackButtonBody = body(buttonMembers, ['name']);
export type CreateCallMeBackButtonBody = Static<typeof CreateCallMeBackButtonBody>;
export const UpdateCallMeBackButtonBody = body(buttonMembers, []);
export type UpdateCallMeBackButtonBody = Static<typeof UpdateCallMeBackButtonBody>;

/** What a button shows while somebody can call back, and while nobody can. */
export const KeptOfButton = record({ data_online: string(), data_offline: string() });
export type KeptOfButton = Static<typeof KeptOfButton>;

const spec = 'Call Me Back website / setting / button';
export const callMeBackResources = {
  callmebackwebsites: { name: 'call-me-back website', schema: CallMeBackSchema, published: true, spec },
  callmebacksettings: {
    name: 'call-me-back setting',
    schema: CallMeBackSchema,
    writable: UpdateCallMeBackSettingBody,
    published: true,
    spec,
  },
  callmebackbuttons: {
    name: 'call-me-back button',
    schema: CallMeBackSchema,
    writable: UpdateCallMeBackButtonBody,
    kept: KeptOfButton,
    published: true,
    spec,
  },
  callmebackcdrs: { name: 'call-me-back call', schema: CallMeBackSchema, published: true, spec },
  callmebackvisitors: { name: 'call-me-back visitor', schema: CallMeBackSchema, published: true, spec },
} as const satisfies Record<string, ResourceRow>;
