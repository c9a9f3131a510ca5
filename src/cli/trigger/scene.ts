// What a trigger does at a running simulator: phones told how to behave, calls placed, acts, time that passes, events awaited.
// Everything goes through the control API; what was changed is put back. Knows no event's recipe.
import { terminalEvents } from '../../contract/events.ts';
import { type ControlClient, type JournalView, reasonOf } from '../../harness/run/control-client.ts';
import type { TimeHost } from '../../kernel/clock.ts';
import type { Called, Party } from './parties.ts';

/** An event as its webhooks carry it. */
export type Payload = Readonly<Record<string, unknown>>;

export interface SceneOptions {
  readonly control: ControlClient;
  readonly host: TimeHost;
  /** How long an event may take: on a clock that can be moved its time, else real time. */
  readonly timeoutMs: number;
}

/** A call that a scene placed. */
export interface PlacedCall {
  readonly id: number;
  readonly caller: Party;
  /** Where the caller's acts go: a phone's or an outside call's. */
  readonly callerActs: string;
}

interface Waited {
  readonly name: string;
  readonly callId?: number;
  /** Entries with a greater `seq`. */
  readonly after?: number;
  readonly fits?: (payload: Payload) => boolean;
}

/** One long poll: the client's own patience is longer. */
const POLL_MS = 10_000;

export class Scene {
  readonly #options: SceneOptions;
  #undo: (() => Promise<unknown>)[] = [];

  constructor(options: SceneOptions) {
    this.#options = options;
  }

  /** Calls to the party are met so from now on, until `putBack`. */
  async whenCalled(party: Party, behaviour: object): Promise<void> {
    const { control } = this.#options;
    if (party.kind === 'phone') {
      const path = `/phones/${party.ext}`;
      const before = await control.get<{ behaviour: unknown }>('GET', path);
      this.#undo.push(() => control.ask('PATCH', path, { behaviour: before.behaviour }));
      await this.#order('PATCH', path, { behaviour });
    } else {
      const path = `/trunk/${encodeURIComponent(party.number)}`;
      const { data } = await control.get<{ data: { number: string; behaviour: unknown }[] }>('GET', '/trunk');
      const before = data.find(({ number }) => number === party.number);
      this.#undo.push(() =>
        before === undefined ? control.ask('DELETE', path) : control.ask('PUT', path, { behaviour: before.behaviour }),
      );
      await this.#order('PUT', path, { behaviour });
    }
  }

  /** Behaviours are as they were. Harmless when done already. */
  async putBack(): Promise<void> {
    for (const undo of this.#undo.splice(0).reverse()) await undo();
  }

  async call(caller: Party, { number }: Called): Promise<PlacedCall> {
    if (caller.kind === 'phone') {
      const callerActs = `/phones/${caller.ext}/acts`;
      const { call_id: id } = await this.#order('POST', callerActs, { act: 'call', to: number });
      return { id: Number(id), caller, callerActs };
    }
    const { call_id } = await this.#order('POST', '/calls', { from: caller.number, to: number });
    const id = Number(call_id);
    // The number may have other calls; the Call-ID of the INVITE that came in is this one's alone.
    const { data } = await this.#options.control.get<{ data: readonly JournalView[] }>(
      'GET',
      `/journal?kind=sip.in&call_id=${id}&limit=1`,
    );
    const dialog = String(data[0]?.data.sip_call_id ?? caller.number);
    return { id, caller, callerActs: `/trunk/${encodeURIComponent(dialog)}/acts` };
  }

  /** What a user does at a phone of ours. */
  async act(ext: string, act: object): Promise<void> {
    await this.#order('POST', `/phones/${ext}/acts`, act);
  }

  async callerActs({ callerActs }: PlacedCall, act: object): Promise<void> {
    await this.#order('POST', callerActs, act);
  }

  /** Ends the call at its caller; one that is over already is left alone. */
  async hangUp({ callerActs }: PlacedCall): Promise<void> {
    await this.#options.control.ask('POST', callerActs, { act: 'hangup' });
  }

  async sms(message: { readonly from: string; readonly to: string; readonly text: string }): Promise<void> {
    await this.#order('POST', '/sms', message);
  }

  /** `seq` of the journal's newest entry. */
  async last(): Promise<number> {
    return (await this.#options.control.get<{ last: number }>('GET', '/journal?limit=1')).last;
  }

  /** Lets time pass on the simulator's clock. */
  async pass(ms: number): Promise<void> {
    const { control, host } = this.#options;
    if (ms === 0) return;
    if ((await control.clock()).mode === 'real') await new Promise<void>((resolve) => void host.alarm(ms, resolve));
    else await this.#order('POST', '/clock', { advance: `${ms}ms` });
  }

  /** The payload of the event once it has been raised. Rejects with one sentence when it does not come. */
  async event(wanted: Waited): Promise<Payload> {
    const found = await this.#find(wanted, this.#options.timeoutMs);
    if (found !== undefined) return found;
    throw new Error(`${wanted.name} did not come within ${this.#options.timeoutMs / 1000} s${ofCall(wanted)}.`);
  }

  /** The same, or undefined when it has not come after so long. */
  async eventWithin(wanted: Waited, ms: number): Promise<Payload | undefined> {
    return this.#find(wanted, ms);
  }

  async #find(wanted: Waited, withinMs: number): Promise<Payload | undefined> {
    const { control, host } = this.#options;
    const start = await control.clock();
    const real = start.mode !== 'manual';
    const deadline = (real ? host.now() : start.nowMs) + withinMs;
    let { after } = wanted;
    for (;;) {
      const leftMs = real ? Math.max(0, deadline - host.now()) : 0;
      const entry = await this.#entry(wanted, after, Math.min(leftMs, POLL_MS));
      const payload = entry === undefined ? undefined : payloadIn(entry, wanted);
      if (payload !== undefined) return payload;
      if (entry !== undefined) after = entry.seq;
      else if (real ? leftMs === 0 : !(await this.#moveOn(deadline))) return undefined;
    }
  }

  /** The first event after the cursor; waits in real time for up to `ms`. */
  async #entry({ callId }: Waited, after: number | undefined, ms: number): Promise<JournalView | undefined> {
    const where = [
      ...(callId === undefined ? [] : [`&call_id=${callId}`]),
      ...(after === undefined ? [] : [`&after=${after}`]),
    ].join('');
    const { control } = this.#options;
    if (ms === 0) {
      const page = await control.get<{ data: readonly JournalView[] }>('GET', `/journal?kind=event${where}&limit=1`);
      return page.data[0];
    }
    const answer = await control.ask('GET', `/wait?kind=event${where}&timeout=${Math.ceil(ms)}`);
    if (answer.status === 408) return undefined;
    if (answer.status !== 200) throw new Error(reasonOf(answer));
    return answer.body as JournalView;
  }

  /** Moves a manual clock to its next timer, or to the deadline when that comes first. False when it stands there. */
  async #moveOn(deadline: number): Promise<boolean> {
    const { control } = this.#options;
    const { nowMs, nextMs } = await control.clock();
    if (nowMs >= deadline) return false;
    if (nextMs !== undefined && nextMs <= deadline) await this.#order('POST', '/clock', { to: 'next' });
    else await control.moveTo(deadline);
    return true;
  }

  async #order(method: string, path: string, body: object): Promise<Payload> {
    const answer = await this.#options.control.ask(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return (answer.body ?? {}) as Payload;
    throw new Error(reasonOf(answer));
  }
}

/** Undefined when the entry is another event; rejects when the call ends with another one. */
function payloadIn({ data }: JournalView, wanted: Waited): Payload | undefined {
  const payload = (data.payload ?? {}) as Payload;
  if (data.name === wanted.name && (wanted.fits?.(payload) ?? true)) return payload;
  if (wanted.callId !== undefined && terminalEvents.some((name) => name === data.name)) {
    const why = typeof payload.t_cause === 'string' && payload.t_cause !== '' ? ` (${payload.t_cause})` : '';
    throw new Error(`Call ${wanted.callId} ended with ${String(data.name)}${why} before it had ${wanted.name}.`);
  }
  return undefined;
}

function ofCall({ callId }: Waited): string {
  return callId === undefined ? '' : ` in call ${callId}`;
}
