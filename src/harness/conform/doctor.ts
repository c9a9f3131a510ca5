// Examines a target before a run: is it there, who may log in, how far its clock is off, can webhooks and phones reach it. Judges nothing.
import { operationById } from '../../contract/operations.ts';
import { isoText } from '../../kernel/time.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import type { HttpClient } from '../../wires/http-client.ts';
import { unreachable } from '../../wires/reachable.ts';
import { jsonIn } from '../json-text.ts';
import { type ClockView, ControlClient, reasonOf } from '../run/control-client.ts';
import { Inbox } from '../run/inbox.ts';
import { requestOf } from '../run/request.ts';
import { addressOf } from '../target/target.ts';
import type { TargetDocument } from '../target/target-file.ts';
import { allowedAt, TOUCHES } from '../target/what-it-takes.ts';

export interface Point {
  readonly name: string;
  /** `absent`: not given; what needs it is unevaluable. */
  readonly state: 'good' | 'bad' | 'absent';
  readonly message: string;
  /** Nothing can be judged. */
  readonly fatal: boolean;
}

export interface Instruments {
  readonly http: HttpClient;
  /** Real time. */
  readonly nowMs: () => number;
  /** What a webhook receiver of ours shows a target that sends over HTTPS. */
  readonly identity?: (() => ServerIdentity) | undefined;
}

/** A clock that is off by more makes times in records and tokens hard to judge. */
const MAX_SKEW_MS = 5000;

/** Never rejects. */
export async function examine(document: TargetDocument, instruments: Instruments): Promise<readonly Point[]> {
  const { points: address, clock } = await addressed(document, instruments);
  if (clock === undefined) return address;
  const control = await controlFound(document, instruments);
  return [
    ...address,
    clockPoint(clock, control.clock),
    ...(await userPoints(document, instruments)),
    control.point,
    await webhookPoint(document, instruments),
    await sipPoint(document),
    allowPoint(document, control.clock?.mode === 'manual'),
  ];
}

interface DatedAnswer {
  readonly date: unknown;
  /** Real time, in the middle between question and answer. */
  readonly hereMs: number;
}

interface Addressed {
  readonly points: readonly Point[];
  /** Undefined where nothing can be judged. */
  readonly clock?: DatedAnswer;
}

async function addressed(
  { api_root: apiRoot, users }: TargetDocument,
  { http, nowMs }: Instruments,
): Promise<Addressed> {
  const { id, key } = users.first;
  const as = key === undefined ? undefined : { id, key };
  const fromMs = nowMs();
  const answer = await http.send(requestOf(apiRoot.replace(/\/$/, ''), { operation: operationById('ping'), as }));
  const tookMs = nowMs() - fromMs;
  if (!answer.ok) return { points: [point('address', 'bad', `${apiRoot} cannot be reached: ${answer.error}`, true)] };
  const there = point('address', 'good', `${apiRoot} answers in ${tookMs} ms`);
  if (answer.status !== 200)
    return { points: [there, point('first user', 'bad', `GET /ping answers ${answer.status} to user ${id}`, true)] };
  if (jsonIn(answer.text) === undefined) {
    const told = `GET /ping answers ${answer.headers['content-type'] ?? 'nothing'}, no JSON: is that the API root?`;
    return { points: [there, point('first user', 'bad', told, true)] };
  }
  return {
    points: [there, point('first user', 'good', `user ${id} may log in`)],
    clock: { date: answer.headers.date, hereMs: fromMs + tookMs / 2 },
  };
}

/** How a clock goes that does not follow this machine's. */
const SIMULATED: Readonly<Record<string, string>> = {
  manual: 'moves when it is told',
  fast: 'jumps from one timer to the next',
};

/** A simulated clock is meant to differ: it is only told what it shows. */
function clockPoint({ date, hereMs }: DatedAnswer, simulated: ClockView | undefined): Point {
  const way = simulated === undefined ? undefined : SIMULATED[simulated.mode];
  if (simulated !== undefined && way !== undefined)
    return point('clock', 'good', `simulated, ${simulated.mode}: it shows ${isoText(simulated.nowMs)} and ${way}`);
  const thereMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(thereMs))
    return point('clock', 'absent', 'answers carry no Date, so how far its clock is off is not known');
  // Date has whole seconds, always the past one.
  const skewMs = Math.abs(thereMs + 500 - hereMs);
  const message = `its clock is off by about ${(skewMs / 1000).toFixed(1)} s`;
  return point('clock', skewMs > MAX_SKEW_MS ? 'bad' : 'good', message);
}

async function userPoints({ api_root: apiRoot, users }: TargetDocument, { http }: Instruments): Promise<Point[]> {
  const points: Point[] = [];
  for (const name of ['second', 'restricted', 'other_customer'] as const) {
    const user = users[name];
    const said = name.replaceAll('_', ' ');
    if (user?.key === undefined) {
      points.push(point(said, 'absent', 'nobody gave one with a key'));
      continue;
    }
    const as = { id: user.id, key: user.key };
    const answer = await http.send(requestOf(apiRoot.replace(/\/$/, ''), { operation: operationById('ping'), as }));
    const status = answer.ok ? answer.status : answer.error;
    points.push(
      point(
        said,
        status === 200 ? 'good' : 'bad',
        status === 200 ? `user ${user.id} may log in` : `GET /ping: ${status}`,
      ),
    );
  }
  return points;
}

interface ControlFound {
  readonly point: Point;
  /** What it says of its clock. */
  readonly clock?: ClockView;
}

async function controlFound({ control }: TargetDocument, { http }: Instruments): Promise<ControlFound> {
  if (control === undefined) {
    const message = 'not given: clock, mails and records that the API does not make stay out of reach';
    return { point: point('control', 'absent', message) };
  }
  try {
    const clock = await new ControlClient(http, {
      root: control.root.replace(/\/$/, ''),
      ...tokenOf(control),
    }).clock();
    return { point: point('control', 'good', `${control.root} answers, its clock is ${clock.mode}`), clock };
  } catch (error) {
    return { point: point('control', 'bad', error instanceof Error ? error.message : String(error)) };
  }
}

function tokenOf({ token }: { readonly token?: string }): { readonly token?: string } {
  return token === undefined ? {} : { token };
}

/** A webhook is saved only when its URL answers: by the control API that can be tried out at once. */
async function webhookPoint(document: TargetDocument, { http, identity }: Instruments): Promise<Point> {
  const { control, webhooks } = document;
  if (control === undefined && webhooks === undefined)
    return point('webhooks', 'absent', 'no way to set them up: events cannot be judged');
  try {
    if (control !== undefined) {
      const client = new ControlClient(http, { root: control.root.replace(/\/$/, ''), ...tokenOf(control) });
      const secure = identity === undefined ? undefined : await savedPoint(client, identity);
      // A simulator that does not trust our certificate may have been told to take plain HTTP.
      return secure?.state === 'good' ? secure : await savedPoint(client, undefined);
    }
    const inbox = await Inbox.open({ ...addressOf(webhooks?.listen ?? ''), shared: false }, () => {});
    await inbox.close();
    return point('webhooks', 'good', `the harness can listen at ${webhooks?.listen}`);
  } catch (error) {
    return point('webhooks', 'bad', error instanceof Error ? error.message : String(error));
  }
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

async function savedPoint(control: ControlClient, identity: Instruments['identity']): Promise<Point> {
  const inbox = await Inbox.open({ ...LOOPBACK, shared: false, identity }, () => {});
  try {
    const events = ['call_state_change' as const];
    const body = { name: 'Made by pbxsim doctor', url: inbox.url('doctor', events), events };
    const saved = await control.ask('POST', '/webhooks', body);
    if (saved.status !== 201)
      return point('webhooks', 'bad', `the target saves none that leads here: ${reasonOf(saved)}`);
    await control.ask('DELETE', `/webhooks/${(saved.body as { readonly id?: unknown }).id}`);
    return point('webhooks', 'good', 'a test event reached the harness');
  } finally {
    await inbox.close();
  }
}

async function sipPoint({ sip }: TargetDocument): Promise<Point> {
  if (sip === undefined) return point('sip', 'absent', 'not given: phones of the harness cannot register');
  const address = sip.tcp ?? (sip.ws === undefined ? undefined : new URL(sip.ws).host);
  if (address === undefined)
    return point('sip', 'good', `phones register at ${sip.domain} over UDP, which shows itself only then`);
  const why = await unreachable(addressOf(address));
  return point(
    'sip',
    why === undefined ? 'good' : 'bad',
    `${address} ${why === undefined ? 'takes connections' : `cannot be reached: ${why}`}`,
  );
}

function allowPoint({ allow: said, api_root: apiRoot, control }: TargetDocument, isManual: boolean): Point {
  const allow = allowedAt({ said, apiRoot, isSimulator: control !== undefined, isManual });
  const missing = TOUCHES.filter((touch) => !allow.includes(touch));
  return point(
    'allowed',
    missing.length === 0 ? 'good' : 'absent',
    `${allow.join(', ')}${missing.length === 0 ? '' : `; not ${missing.join(', ')}: --allow, or allow of the target file`}`,
  );
}

function point(name: string, state: Point['state'], message: string, fatal = false): Point {
  return { name, state, message, fatal };
}
