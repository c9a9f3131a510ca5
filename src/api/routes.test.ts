// The routing table: each of the 163 published paths leads to its own operation, as it is and percent-encoded, below every root.
import { describe, expect, it, test } from 'vitest';
import { operations } from '../contract/operations.ts';
import { Routes, readTarget } from './routes.ts';

const routes = new Routes(operations);

const values: Readonly<Record<string, readonly [plain: string, encoded: string]>> = {
  id: ['10000031', '%31%30%30%30%30%30%33%31'],
  ids: ['10000031,10000032', '10000031%2C10000032'],
  e164: ['+442079460101', '%2B442079460101'],
  from: ['+442079460101', '%2b442079460101'],
  to: ['442079460999', '4420794%360999'],
};

function found(method: string, url: string) {
  const target = readTarget(url);
  const route = target === undefined ? undefined : routes.find(method, target);
  return route?.kind === 'operation' ? { id: route.operation.id, params: { ...route.params } } : route?.kind;
}

describe.each(['/v1.1/pbx', '/v1.2/pbx', '/v1.1'])('below %s', (root) => {
  test.each(operations.map(({ id, method, path }) => [id, method, path] as const))('%s: %s %s', (id, method, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, values[name]?.[0]]));
    for (const form of [0, 1] as const) {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.[form] ?? '');
      expect(found(method, root + filled)).toEqual({ id, params });
      expect(found(method, `${root}${filled}?limit=1&page=2`)).toEqual({ id, params });
    }
  });
});

describe('paths that look alike', () => {
  it.each([
    ['/cdrs/10000031', 'getCdr'],
    ['/cdrs/10000031.trace', 'getCdrTrace'],
    ['/cdrs/10000031.pcap', 'getCdrPcap'],
    ['/cdrs/10000031/notes', 'listCdrNotes'],
    ['/cdrs/dictionaries', 'listCdrDictionaries'],
    ['/cdrs/calltracking', 'listCallTrackingCdrs'],
    ['/calltracking/cdrs', 'listTrackedCalls'],
    ['/sms/dictionaries', 'listSmsDictionaries'],
    ['/sms/cannedresponses', 'listCannedResponses'],
    ['/sms/10000031', 'getSms'],
    ['/ddis/dictionaries', 'listDdiDictionaries'],
    ['/ddis/calltracking', 'listCallTrackingDdis'],
    ['/ddis/442079460101', 'getDdi'],
    ['/users/10000001/cdrs', 'listUserCdrs'],
    ['/users/10000001/cdrs.csv', 'exportUserCdrs'],
    ['/monitors/10000001.mp3', 'getMonitorAudio'],
    ['/monitors/10000001', 'getMonitor'],
    ['/reportschedules/dictionaries', 'listReportScheduleDictionaries'],
  ])('GET %s is %s', (path, id) => {
    expect(found('GET', `/v1.1/pbx${path}`)).toMatchObject({ id });
  });

  it('one id and several lead to the same deletion, and to one record', () => {
    expect(found('DELETE', '/v1.1/pbx/contacts/1')).toEqual({ id: 'deleteContacts', params: { ids: '1' } });
    expect(found('DELETE', '/v1.1/pbx/contacts/1,2')).toEqual({ id: 'deleteContacts', params: { ids: '1,2' } });
    expect(found('GET', '/v1.1/pbx/contacts/1')).toEqual({ id: 'getContact', params: { id: '1' } });
  });

  it.each([
    ['GET', '/v1.1/pbx/cdrs/1/notes/2'],
    ['GET', '/v1.1/pbx/contactlabels'],
    ['GET', '/v1.1/pbx/'],
    ['GET', '/v1.3/pbx/users'],
    ['GET', '/v1.1/pbx/Users'],
  ])('%s %s leads nowhere', (method, path) => {
    expect(found(method, path)).not.toBeTypeOf('object');
  });
});
