// What a client writes, as it is stored: told by the forms that the specification publishes.
import { describe, expect, it } from 'vitest';
import { readForm } from './read-form.ts';

describe('what is written', () => {
  it('has its read names and types', () => {
    const written = { moh_id: 7, ring_strategy: 'linear', language: 'de', monitor: 'I', caller_sounds: [1, 'a'] };
    expect(readForm('queues', written)).toEqual({
      moh: 7,
      ring_strategy: 5,
      language: 2,
      monitor: 2,
      caller_sounds: '[1,"a"]',
    });
    expect(readForm('routingrules', { source: ['+15550100', 12], direction: 'out' })).toEqual({
      source: '+15550100,12',
      direction: 1,
    });
    expect(readForm('campaigns', { url: 'https://a.example/' })).toEqual({ uri: 'https://a.example/' });
  });

  it('is nothing where it is null, and is kept as it is where it is ddis', () => {
    expect(readForm('queues', { moh_id: null, post_call_ivr_id: null, caller_sounds: null })).toEqual({
      moh: 0,
      post_call_ivr_id: 0,
      caller_sounds: '',
    });
    expect(readForm('queues', { ddis: ['+15550100'] })).toEqual({ ddis: ['+15550100'] });
  });

  it('leaves out what the resource does not have, whatever it is called', () => {
    const strange = JSON.parse(
      '{"__proto__":{"x":1},"constructor":1,"toString":2,"colour":"red","name":"x"}',
    ) as object;
    expect(readForm('queues', strange)).toEqual({ name: 'x' });
  });

  it('under both names counts under the written one, in any order', () => {
    expect(readForm('queues', { moh_id: 1, moh: 2 })).toEqual({ moh: 1 });
    expect(readForm('queues', { moh: 2, moh_id: 1 })).toEqual({ moh: 1 });
    expect(readForm('cannedresponses', { message: 'read', text: 'written', from: 'name' })).toEqual({
      message: 'written',
      from: 'name',
    });
  });
});
