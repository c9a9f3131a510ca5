// Who and what the examples tell of: one small company, one customer of its, one call. Knows no record.

/** When the example call began. */
export const moment = '2026-03-02 09:15:04';
/** When it was answered, and when it ended. */
export const answered = '2026-03-02 09:15:09';
export const ended = '2026-03-02 09:17:46';
export const made = '2026-01-12 08:30:00';

/** 09:15:04 in seconds since 1970. */
export const momentSeconds = 1_772_442_904;

export const customerId = 1;
export const callId = 10_000_031;

/** The user whose phone rings. */
export const ada = {
  id: 10_000_001,
  ext: '101',
  number: '+442079460101',
  first: 'Ada',
  last: 'Marsh',
  email: 'ada.marsh@harbour.example',
};

/** The colleague. */
export const bo = { id: 10_000_002, ext: '102', number: '+442079460102', name: 'Bo Fenwick' };

/** The caller from outside, who is a contact. */
export const carla = { id: 10_000_004, number: '+442079460950', name: 'Carla Stone', email: 'carla@stone.example' };

export const phone = 'pbxsim-phone';
export const outside = 'pbxsim-carrier';
export const sipCallId = '7f3a9c51@127.0.0.1';
