// What the validator says of a body that does not fit: the place, what was expected there, and what came. Knows no handler.
import { describe, expect, it } from 'vitest';
import { type OperationId, operationById } from '../contract/operations.ts';
import { Validator } from './validate.ts';

const validator = new Validator();

function told(id: OperationId, body: unknown): readonly string[] {
  const checked = validator.check(operationById(id), body);
  return checked.ok ? [] : checked.failure.details;
}

const oneOfSix = 'first_name, last_name, company, email, tel, mobile: expected at least one of these';

describe('a body that does not fit', () => {
  it('names the members of which one is wanted; an empty text is none', () => {
    expect(told('createContact', { notes: 'only' })).toEqual([oneOfSix]);
    expect(told('createContact', {})).toEqual([oneOfSix]);
    expect(told('createContact', { first_name: '', email: '', tel: '' })).toEqual([oneOfSix]);
    expect(told('createContact', { first_name: '', tel: '+442079460001' })).toEqual([]);
  });

  it('has an address of a contact that looks like one, or none', () => {
    expect(told('createContact', { first_name: 'Ann', email: '' })).toEqual([]);
    expect(told('createContact', { email: 'ann@x.example' })).toEqual([]);
    expect(told('updateContact', { email: 'ann' })).toEqual([
      'email: expected text (an email address, or empty; at most 254 characters), got "ann"',
    ]);
  });

  it('names the element of a list that may be text as well', () => {
    const plan = { report_id: 1, name: 'Weekly' };
    expect(told('createReportSchedule', { ...plan, emails: ['a@x.example', 'nope'] })).toEqual([
      'emails[1]: expected text (email address; at most 254 characters), got "nope"',
    ]);
    expect(told('createReportSchedule', { ...plan, frequency: { type: 'daily', day_of_week: ['mon'] } })).toEqual([
      'frequency.day_of_week[0]: expected a number, got "mon"',
    ]);
    expect(told('updateUsers', [{ id: 1, groups: [4, { id: 0 }] }])).toEqual([
      '[0].groups[1].id: expected an integer (at least 1), got 0',
    ]);
  });

  it('is told its size where that was wrong', () => {
    expect(told('updateContacts', [])).toEqual(['body: expected an array (1 to 5000 items), got 0 items']);
    expect(told('createQueue', { name: 'q'.repeat(256) })).toEqual([
      'name: expected text (1 to 255 characters), got 256 characters',
    ]);
    expect(told('createRoutingRule', { action: 'block', direction: 'in', source: 's'.repeat(65_536) })).toEqual([
      'source: expected text (at most 65535 characters), got 65536 characters',
    ]);
  });

  it('is told forms in words', () => {
    expect(told('createConference', { name: 'Room', pin: '12a' })).toEqual([
      'pin: expected text (up to 12 digits), got "12a"',
    ]);
    expect(told('updateReportSchedule', { start_at: 'soon' })).toEqual([
      'start_at: expected text (YYYY-MM-DD, with a time or without), got "soon"',
    ]);
  });
});

describe('a coded member', () => {
  it('is its word, its code, or the digits of its code', () => {
    for (const type of ['lead', 2, '2']) expect(told('updateContact', { type })).toEqual([]);
    for (const type of ['friend', 4, '4', '02', ''])
      expect(told('updateContact', { type })).toEqual([
        `type: expected one of contact, lead, company, or one of 1, 2, 3, got ${JSON.stringify(type)}`,
      ]);
    expect(told('updateVoiceMessages', [{ id: 1, folder: '0' }])).toEqual([]);
  });
});
