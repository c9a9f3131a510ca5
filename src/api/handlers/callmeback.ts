// Call me back: widgets on websites through which visitors ask for a call.
import { changing, listing, making, reading, removing } from '../records.ts';

export const callMeBackHandlers = {
  listCallMeBackWebsites: listing('callmebackwebsites'),
  listCallMeBackSettings: listing('callmebacksettings'),
  createCallMeBackSetting: making('callmebacksettings'),
  getCallMeBackSetting: reading('callmebacksettings'),
  updateCallMeBackSetting: changing('callmebacksettings'),
  deleteCallMeBackSetting: removing('callmebacksettings'),
  listCallMeBackCdrs: listing('callmebackcdrs'),
  listCallMeBackVisitors: listing('callmebackvisitors'),
  getCallMeBackButton: reading('callmebackbuttons'),
  createCallMeBackButton: making('callmebackbuttons'),
  updateCallMeBackButton: changing('callmebackbuttons'),
  deleteCallMeBackButton: removing('callmebackbuttons'),
};
