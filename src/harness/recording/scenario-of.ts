// From a recording to a scenario: its steps in the order of time, and in words what no step can repeat. Knows no YAML.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
import { buildPlans } from '../language/build.ts';
import { LONGEST_REAL_WAIT_MS } from '../language/check-meaning.ts';
import type { ScenarioDocument, StepDocument } from '../language/document.ts';
import { beginningOf, eventsOf, recordOf } from './calls-written.ts';
import { Casting, conductWords, durationText, plus, rounded } from './casting.ts';
import type { HeardAct, HeardCall, HeardEvent, HeardRequest, Meeting, PartyKey, Recording } from './heard.ts';
import { RequestWriter, requestWords } from './requests-written.ts';
import type { Roster } from './roster.ts';

/** A step with what is to be said before it; or words alone. */
export interface Line {
  readonly step?: StepDocument;
  readonly comments: readonly string[];
}

export interface Draft {
  readonly head: Omit<ScenarioDocument, 'steps' | 'finally'>;
  readonly steps: readonly Line[];
  readonly finally: readonly StepDocument[];
  /** What is to be said of the whole. */
  readonly remarks: readonly string[];
}

/** What is known of a call's history by its id. */
export type Histories = ReadonlyMap<number, readonly Readonly<Record<string, unknown>>[]>;

export interface Recorded {
  readonly recording: Recording;
  readonly roster: Roster;
  readonly histories: Histories;
}

/** Beyond this a step says how long it waits. */
const PATIENCE_MS = 3000;
const SPARE_MS = 5000;

interface Moment {
  readonly seq: number;
  readonly at: number;
  readonly write: () => void;
}

/** The scenario that repeats what was recorded; every step of it is valid, and it has at least one. */
export function scenarioOf(recorded: Recorded, id: string): Draft {
  const draft = new Script(recorded).draft(id);
  const valid = withoutProblems(draft);
  if (valid.steps.some(({ step }) => step !== undefined)) return valid;
  return {
    ...valid,
    steps: [...valid.steps, { step: { rest: 'ping' }, comments: ['Nothing was recorded that a scenario can do.'] }],
  };
}

class Script {
  readonly #recorded: Recorded;
  readonly #casting: Casting;
  readonly #requests: RequestWriter;
  readonly #captured = new Map<number, string>();
  readonly #lines: Line[] = [];
  readonly #calls: readonly HeardCall[];
  /** Calls that somebody took part in whom no scenario can play, with who that was. */
  readonly #leftOut: ReadonlyMap<number, PartyKey>;
  #comments: string[] = [];
  /** Where the scenario's time is, as the recording counts it. */
  #clock = 0;
  #longestMs = 0;
  #lastRead: string | undefined;

  constructor(recorded: Recorded) {
    const { recording, roster } = recorded;
    this.#recorded = recorded;
    this.#casting = new Casting(recording, roster);
    this.#requests = new RequestWriter(recording.requests, this.#casting, this.#captured);
    const account = roster.named('first')?.customerId;
    this.#leftOut = new Map(
      recording.acts.flatMap(({ party, callId }) =>
        callId === null || this.#casting.phoneOf(party) !== undefined ? [] : [[callId, party]],
      ),
    );
    this.#calls = recording.calls.filter(
      ({ id, customerId, events }) => customerId === account && events.length > 0 && !this.#leftOut.has(id),
    );
  }

  draft(id: string): Draft {
    const { recording } = this.#recorded;
    const moments = this.#moments().sort((a, b) => a.seq - b.seq);
    const done = [...recording.acts, ...recording.requests, ...recording.texts].map(({ at }) => at);
    this.#clock = done.length === 0 ? 0 : Math.min(...done);
    this.#unregistered();
    for (const { write } of moments) write();
    if (this.#comments.length > 0) this.#lines.push({ comments: this.#comments });
    const { webhooks, phones } = this.#stage();
    const others = recording.calls.length - this.#calls.length;
    return {
      head: {
        id,
        title: 'What was done by hand, done again',
        requires:
          'What was recorded happens again when the same is done: the calls, their events, their records, the answers of the API.',
        spec: ['Recorded from a running simulator'],
        tags: ['recorded'],
        ...(this.#longestMs <= LONGEST_REAL_WAIT_MS
          ? {}
          : {
              drivers: ['sim'],
              drivers_reason: `It waits ${durationText(this.#longestMs)} at a time, too long for real time.`,
            }),
        ...(Object.keys(phones).length === 0 ? {} : { phones }),
        ...(this.#calls.length === 0 && recording.texts.length === 0 ? {} : { webhooks }),
      } as Draft['head'],
      steps: this.#lines,
      finally: recording.talking.flatMap((party): StepDocument[] => {
        const phone = this.#casting.phoneOf(party);
        return phone === undefined ? [] : [{ phone, do: 'hang_up', within: '1s' }];
      }),
      remarks: [
        ...this.#casting.remarks,
        ...(others === 0
          ? []
          : [
              `Calls that are left out: ${others}. They were of another account, showed no event, or somebody took part whom no scenario can play.`,
            ]),
        ...(recording.talking.length === 0
          ? []
          : ['Calls were under way when the recording ended; they are hung up at the end.']),
      ],
    };
  }

  #stage(): { webhooks: object; phones: Record<string, object> } {
    const phones: Record<string, object> = {};
    for (const [party, name] of this.#casting.phones) {
      const first = this.#meetingsOf(party)[0];
      const conduct = first === undefined || first.how === 'ring' ? {} : { when_called: conductWords(first) };
      phones[name] = { ...this.#casting.lineOf(party), ...conduct };
    }
    const has = (name: string): boolean =>
      this.#calls.some(({ events }) => events.some((event) => event.name === name));
    const events = [
      'call_state_change',
      ...(has('call.dtmf') ? ['dtmf'] : []),
      ...(this.#recorded.recording.texts.length > 0 ? ['sms_received'] : []),
    ];
    return { phones, webhooks: { all: { events } } };
  }

  #meetingsOf(party: PartyKey): Meeting[] {
    return this.#recorded.recording.meetings.filter((one) => one.party === party).sort((a, b) => a.seq - b.seq);
  }

  #moments(): Moment[] {
    const { acts, requests, texts, notes } = this.#recorded.recording;
    return [
      ...notes.map(({ seq, at, text }) => ({ seq, at, write: () => void this.#comments.push(text) })),
      ...acts.map((act) => ({ ...act, write: () => this.#act(act) })),
      ...requests.map((request) => ({ ...request, write: () => this.#request(request) })),
      ...texts.map((text) => ({ ...text, write: () => this.#text(text) })),
      ...this.#calls.flatMap((call) => this.#momentsOf(call)),
      ...[...this.#casting.phones.keys()].flatMap((party) => this.#conducts(party)),
    ];
  }

  #momentsOf(call: HeardCall): Moment[] {
    const [first] = call.events;
    const { closed } = call;
    const begins = first !== undefined && this.#isWantedEarly(call) && this.#makerOf(call) === undefined;
    return [
      ...(begins ? [{ ...first, write: () => this.#began(call) }] : []),
      ...(closed === undefined ? [] : [{ ...closed, write: () => this.#ended(call, closed.at) }]),
    ];
  }

  /** A phone that meets a call otherwise than the one before is told so before whatever made that call. */
  #conducts(party: PartyKey): Moment[] {
    const { acts, requests } = this.#recorded.recording;
    const meetings = this.#meetingsOf(party);
    return meetings.flatMap((meeting, index): Moment[] => {
      const before = meetings[index - 1];
      if (before === undefined || JSON.stringify(conductWords(before)) === JSON.stringify(conductWords(meeting)))
        return [];
      const causes = [...acts, ...requests]
        .map(({ seq }) => seq)
        .filter((seq) => seq > before.seq && seq < meeting.seq);
      const phone = this.#casting.phoneOf(party);
      const step = { phone: phone ?? '', when_called: conductWords(meeting) } as StepDocument;
      return [{ seq: Math.max(...causes, before.seq) - 0.5, at: meeting.at, write: () => this.#say(step) }];
    });
  }

  #unregistered(): void {
    for (const [party, phone] of this.#casting.phones) {
      const user = party.startsWith('user:')
        ? this.#recorded.roster.byId(Number(party.slice('user:'.length)))
        : undefined;
      if (user?.registered === false) this.#say({ phone, do: 'unregister' });
    }
  }

  #act({ at, party, callId, act, to, digits, during, since }: HeardAct): void {
    const phone = this.#casting.phoneOf(party);
    const stranger = phone === undefined ? party : this.#leftOut.get(callId ?? 0);
    if (phone === undefined || stranger !== undefined) {
      const what = [this.#casting.wordsFor(party), act, to ?? digits].filter((word) => word !== undefined).join(' ');
      const who = this.#casting.wordsFor(stranger ?? party);
      this.#comments.push(`Not repeated: ${what}: nobody of a scenario can play ${who}.`);
      return;
    }
    // The runner waits by itself until it rings.
    const waitedMs = Math.max(0, (since ?? 0) - this.#clock);
    if (since !== undefined) this.#clock = Math.max(this.#clock, since);
    if (during !== undefined) this.#say({ phone, is: during });
    const after = this.#gap(at);
    this.#say({
      phone,
      do: act,
      ...(to === undefined ? {} : { to: this.#casting.dialled(to, party) }),
      ...(digits === undefined ? {} : { digits }),
      ...(after === undefined ? {} : { after }),
      ...(waitedMs <= PATIENCE_MS ? {} : { within: durationText(waitedMs + SPARE_MS) }),
    } as StepDocument);
  }

  #text({ at, payload }: HeardEvent): void {
    const from = this.#casting.phoneOf(`outside:${plus(payload.from_no)}`);
    if (from === undefined) {
      this.#comments.push(`Not repeated: a text message from ${String(payload.from_no)}: that is no public number.`);
      return;
    }
    const after = this.#gap(at);
    const message = String(payload.text);
    const same = this.#recorded.recording.texts.filter(
      (one) => one.payload.text === payload.text && one.at <= at,
    ).length;
    const to = this.#casting.dialled(plus(payload.to_no), `outside:${plus(payload.from_no)}`);
    this.#say({ phone: from, do: 'text', to, message, ...(after === undefined ? {} : { after }) } as StepDocument);
    const sms = { event: 'sms.received', where: { '/text': message }, ...(same === 1 ? {} : { count: same }) };
    this.#say({ events: { sms }, others: 'allow' } as StepDocument);
  }

  #request(request: HeardRequest): void {
    const call = this.#calls.find(({ id }) => id === request.callId);
    if (this.#leftOut.has(request.callId ?? 0)) {
      this.#comments.push(`Not repeated: ${requestWords(request)}: its call is left out.`);
      return;
    }
    const creates = call !== undefined && this.#makerOf(call)?.seq === request.seq ? call : undefined;
    const written = this.#requests.write(request, creates === undefined ? undefined : this.#nameOf(creates));
    if (written.is === 'words') {
      this.#comments.push(`Not repeated: ${requestWords(request)}: ${written.why}.`);
      return;
    }
    const read = request.method === 'GET' ? JSON.stringify(written.step) : undefined;
    if (read !== undefined && read === this.#lastRead) return;
    const wait = this.#gap(request.at);
    if (wait !== undefined) this.#say({ wait });
    if (call !== undefined && creates === undefined) this.#stateBefore(call, request.seq);
    this.#say(written.step);
    this.#lastRead = read;
    if (creates !== undefined) this.#captured.set(creates.id, this.#nameOf(creates));
  }

  /** A request about a live call finds it in the state in which it was. */
  #stateBefore(call: HeardCall, seq: number): void {
    const state = call.states.findLast((one) => one.seq < seq)?.to;
    if (state === undefined || (call.closed !== undefined && call.closed.seq < seq)) return;
    this.#say({ live_call: `\${${this.#nameOf(call)}}`, state } as StepDocument);
  }

  #began(call: HeardCall): void {
    this.#say(beginningOf(call, this.#nameOf(call), [...this.#captured.values()]));
    this.#captured.set(call.id, this.#nameOf(call));
  }

  #ended(call: HeardCall, at: number): void {
    const waitedMs = at - this.#clock;
    const within = waitedMs <= PATIENCE_MS ? undefined : durationText(waitedMs + SPARE_MS);
    const name = this.#nameOf(call);
    this.#say(eventsOf(call, name, this.#captured.has(call.id), within));
    this.#clock = Math.max(this.#clock, at);
    this.#captured.set(call.id, name);
    this.#say(recordOf(name, this.#recorded.histories.get(call.id)));
  }

  #nameOf(call: HeardCall): string {
    return this.#calls.length === 1 ? 'call' : `call_${this.#calls.indexOf(call) + 1}`;
  }

  #makerOf({ id, events }: HeardCall): HeardRequest | undefined {
    const first = events[0]?.seq ?? 0;
    return this.#recorded.recording.requests.find(
      ({ operation, callId, seq, status }) =>
        operation === 'createCall' && callId === id && seq < first && status === 201,
    );
  }

  /** Its id is spoken of before it ends, or its events must be told from others. */
  #isWantedEarly({ id, closed }: HeardCall): boolean {
    const { requests, texts } = this.#recorded.recording;
    if (this.#calls.length > 1 || texts.length > 0) return true;
    return requests.some(({ callId, seq }) => callId === id && seq < (closed?.seq ?? Number.POSITIVE_INFINITY));
  }

  /** How long to wait for what was done at a time; undefined: not worth speaking of. */
  #gap(at: number): string | undefined {
    const ms = rounded(Math.max(0, at - this.#clock));
    this.#clock += ms;
    this.#longestMs = Math.max(this.#longestMs, ms);
    return ms === 0 ? undefined : durationText(ms);
  }

  #say(step: StepDocument): void {
    this.#lines.push({ step, comments: this.#comments });
    this.#comments = [];
    this.#lastRead = undefined;
  }
}

/** Steps that would make the file invalid become words: they show what happened, and the rest still runs. */
function withoutProblems(draft: Draft): Draft {
  for (let lines = draft.steps; ; ) {
    const steps = lines.flatMap(({ step }) => step ?? []);
    const value = { ...draft.head, steps: steps.length === 0 ? [{ rest: 'ping' }] : steps };
    const { problems } = buildPlans({ file: 'recorded', value, place: () => ({ file: 'recorded' }) }, new Map());
    const wrong = problems.map(({ where }) => steps[Number(/^steps\/(\d+)/.exec(where)?.[1] ?? Number.NaN)]);
    const bad = wrong.find((step) => step !== undefined);
    if (bad === undefined) return { ...draft, steps: lines };
    const why = problems[wrong.indexOf(bad)]?.message ?? '';
    lines = lines.map((line) =>
      line.step === bad ? { comments: [...line.comments, `Not repeated: ${JSON.stringify(bad)}: ${why}.`] } : line,
    );
  }
}
