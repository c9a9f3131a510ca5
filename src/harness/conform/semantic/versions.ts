// Checks of the versioned root: which of the published versions a target serves. Knows no operation but the one it asks.
import { basicAuthorization } from '../../run/request.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';

export const versionChecks: readonly Check[] = [
  {
    id: 'versions/both-roots',
    clause: 'VERSION-ROOTS',
    operation: 'ping',
    effects: ['read'],
    run: async (bench) => {
      const { apiRoot } = bench.target;
      const authorization = basicAuthorization(bench.user('first'));
      const served: string[] = [];
      for (const version of ['v1.1', 'v1.2']) {
        const root = apiRoot.replace(/\/v1\.[12](?=\/|$)/, `/${version}`);
        const { status } = await bench.send({ method: 'GET', path: `${root}/ping`, headers: { authorization } });
        if (status === 200) served.push(version);
      }
      return observed(`Serves ${served.join(' and ')}.`, served.join(', '));
    },
  },
];
