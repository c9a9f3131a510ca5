// The rows of the operations hold together. Knows no handler.

import { describe, expect, it } from 'vitest';
import { operationById, operations } from './operations.ts';
import { resources } from './resources.ts';

const facts = (id: string) => {
  const found = operationById(id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

describe('the operations', () => {
  it('are 163, by module', () => {
    const counts: Record<string, number> = {};
    for (const { module } of operations) counts[module] = (counts[module] ?? 0) + 1;
    expect(operations).toHaveLength(163);
    expect(counts).toEqual({
      auth: 9,
      calls: 17,
      storage: 15,
      settings: 40,
      customer: 30,
      history: 34,
      callmeback: 12,
      reports: 6,
    });
  });

  it('have unique ids and unique routes', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(163);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(163);
  });

  it('name each path parameter once, in the order of the path, with its kind', () => {
    for (const { path, parameters } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.path.map(({ name }) => name)).toEqual(inPath);
    }
    expect(facts('listUserSmsThreads').parameters.path).toEqual([
      { name: 'id', kind: 'id' },
      { name: 'from', kind: 'number' },
      { name: 'to', kind: 'number' },
    ]);
    expect(facts('getDdi').parameters.path).toEqual([{ name: 'e164', kind: 'e164' }]);
    expect(facts('deleteContacts').parameters.path).toEqual([{ name: 'ids', kind: 'ids' }]);
    expect(facts('getCdrTrace').parameters.path).toEqual([{ name: 'id', kind: 'id' }]);
  });

  it('point only to resources that exist', () => {
    for (const { id, response } of operations) {
      const named =
        response.kind === 'sub-collection'
          ? [response.owner, response.items]
          : 'resource' in response
            ? [response.resource]
            : [];
      for (const resource of named) expect(resources, id).toHaveProperty(resource);
    }
  });

  it('keep listed, general and chosen statuses apart', () => {
    for (const { id, listed, general, chosen, success } of operations) {
      const all = [...success, ...listed, ...general, ...chosen];
      expect(new Set(all).size, id).toBe(all.length);
    }
    expect(facts('ping')).toMatchObject({ success: [200], listed: [], general: [401, 403], chosen: [] });
    expect(facts('createContact')).toMatchObject({ success: [201], listed: [400], general: [401, 403] });
    expect(facts('listUserCalls')).toMatchObject({ listed: [401], general: [403, 404], chosen: [400] });
    expect(facts('login')).toMatchObject({ auth: 'none', success: [200], listed: [400], general: [] });
    expect(facts('updateCallLabel')).toMatchObject({ listed: [400, 404], general: [401, 403], chosen: [413, 415] });
  });

  it('carry the published success statuses that are unusual', () => {
    const unusual = operations.filter(
      ({ method, success }) => success.join() !== { GET: '200', POST: '201', PATCH: '200', DELETE: '204' }[method],
    );
    expect(Object.fromEntries(unusual.map(({ id, success }) => [id, success]))).toEqual({
      login: [200],
      loginTwoFactor: [200],
      logout: [200],
      resendConfirmation: [200],
      requestPasswordReset: [200],
      resetPassword: [200],
      updateCall: [301],
      deleteAllSms: [202],
      deleteContacts: [204, 202],
      deleteAllMonitors: [202],
      deleteAllVoiceMessages: [202],
    });
  });

  it('give a body to every PATCH and to every POST but the logout, and to nothing else', () => {
    const without = operations.filter(
      ({ method, body }) => method !== 'GET' && method !== 'DELETE' && body === undefined,
    );
    expect(without.map(({ id }) => id)).toEqual(['logout']);
    expect(
      operations.filter(({ method, body }) => (method === 'GET' || method === 'DELETE') && body !== undefined),
    ).toEqual([]);
    expect(operations.filter(({ body }) => body?.bulk === true).map(({ path }) => path)).toEqual([
      '/calltracking/ddis',
      '/contacts',
      '/users',
      '/cdrs',
      '/voicemessages',
    ]);
  });

  it('answer with files exactly where the path ends like one', () => {
    const files = operations.filter(({ response }) => response.kind === 'file').map(({ path }) => path);
    expect(files.sort()).toEqual(
      operations
        .map(({ path }) => path)
        .filter((path) => /\.(mp3|pcap|trace|csv)$/.test(path))
        .sort(),
    );
    expect(files).toHaveLength(7);
  });

  it('know what destroys', () => {
    expect(operations.filter(({ effect }) => effect === 'destroy').map(({ id }) => id)).toEqual([
      'deleteAllSms',
      'deleteCustomer',
      'deleteUser',
      'resetUserAudio',
      'deleteChatMessages',
      'deleteAllChatMessages',
      'deleteAllCdrs',
      'deleteAllMonitors',
      'deleteMonitors',
      'deleteAllStatements',
      'deleteAllVoiceMessages',
      'deleteVoiceMessages',
    ]);
    expect(operations.filter(({ effect }) => effect === 'read').every(({ method }) => method === 'GET')).toBe(true);
  });
});
