// What `serve` shows people when it is ready: where everything is, and a first call to try.
import chalk from 'chalk';
import { type Ready, written } from './ready.ts';

export function banner(ready: Ready): string {
  const { httpUrl, sip, simulator, allowHttpWebhooks, controlToken, caFile } = ready;
  const [customer] = simulator.world.customers;
  const [first, second] = customer?.users ?? [];
  const [number] = customer?.numbers ?? [];
  if (first === undefined || second === undefined) return '';
  // An authority may be there for SIP over TLS alone.
  const trust = caFile !== undefined && httpUrl.startsWith('https:') ? `--cacert ${quoted(caFile)} ` : '';
  const auth = `${trust}-u ${first.user_id}:${first.api_key}`;
  const row = (label: string, value: string): string => `  ${chalk.dim(label.padEnd(12))}${value}`;
  return [
    `${chalk.bold('pbxsim')} is ready. A simulator for tests and demos, not a production PBX.`,
    '',
    row('API', `${httpUrl}/v1.1/pbx`),
    row('OpenAPI', `${httpUrl}/openapi.json`),
    row('Reference', `${httpUrl}/docs`),
    row('Control', `${httpUrl}/_sim  (its document: ${httpUrl}/_sim/openapi.json)`),
    row('SIP', `udp ${written(sip.udp)}  tcp ${written(sip.tcp)}  ${sip.ws}  domain ${sip.domain}`),
    ...(sip.tls === undefined ? [] : [row('SIP, secure', `tls ${written(sip.tls)}  ${sip.wss}`)]),
    row('Seed, clock', `${simulator.seed}, ${simulator.clock.mode}`),
    ...(caFile === undefined ? [] : [row('Authority', `${caFile}  (trust it: curl --cacert, NODE_EXTRA_CA_CERTS)`)]),
    ...(allowHttpWebhooks
      ? [row('Webhooks', chalk.yellow('http: on loopback is allowed; the specification asks for HTTPS'))]
      : []),
    ...(simulator.world.traffic.rate.perHour === 0
      ? []
      : [row('Traffic', `${simulator.world.traffic.rate.text}  (PUT ${httpUrl}/_sim/traffic turns it)`)]),
    ...simulator.world.faults.describeActive().map((fault) => row('Fault', chalk.yellow(fault))),
    ...(controlToken === undefined ? [] : [row('Control token', controlToken)]),
    '',
    row('User', `${first.user_id}  ${first.email}  password ${first.password}`),
    row(
      'Phone',
      `extension ${first.ext}, SIP user ${first.sip_username}, password ${first.sip_password}, number ${number}`,
    ),
    '',
    chalk.dim(
      '  # call a colleague (both phones are simulated and answer after 2 s), look at the call, read its record',
    ),
    `  curl ${auth} -H 'Content-Type: application/json' -d '{"to":"${second.ext}"}' ${httpUrl}/v1.1/pbx/calls`,
    `  curl ${auth} ${httpUrl}/v1.1/pbx/calls`,
    `  curl ${auth} -g '${httpUrl}/v1.1/pbx/cdrs?limit=1&sort=-id'`,
    '',
  ].join('\n');
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
