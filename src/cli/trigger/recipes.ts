// How each event is brought about: who calls whom, what the called party does, what happens then. Knows no HTTP.
import type { EventName } from '../../contract/events.ts';
import { UsageError } from '../errors.ts';
import { BUSY_NUMBER, type Called, type Directory, MAGIC, OUTSIDER, type Party } from './parties.ts';
import type { Payload, PlacedCall, Scene } from './scene.ts';

export interface Overrides {
  readonly from?: string;
  readonly to?: string;
  readonly ext?: string;
  readonly text?: string;
  readonly digit?: string;
  /** ms. */
  readonly after?: number;
}
export type OverrideName = keyof Overrides;

export type TriggeredName = Exclude<EventName, 'webhook.test'>;

/** What came of it. */
export interface Triggered {
  /** Undefined for what is no call. */
  readonly call: PlacedCall | undefined;
  readonly payload: Payload;
}

export interface Recipe {
  readonly event: TriggeredName;
  /** What happens, in one line. */
  readonly summary: string;
  /** Overrides that mean something here. */
  readonly takes: readonly OverrideName[];
  perform(scene: Scene, directory: Directory, overrides: Overrides): Promise<Triggered>;
}

/** Who calls whom. */
interface Cast {
  readonly caller: Party;
  readonly called: Called;
}

/** A call while its recipe goes on. */
interface Talk extends Cast {
  readonly scene: Scene;
  readonly call: PlacedCall;
  /** Resolves with the event once the call has raised it. */
  event(name: TriggeredName): Promise<Payload>;
  /** Lets as much time pass as `--after` says, or so many ms. */
  wait(usualMs: number): Promise<void>;
  /** The called phone does it, or the calling one where somebody outside was called. */
  user(act: string): Promise<void>;
}

interface CallRecipe {
  readonly event: TriggeredName;
  readonly summary: string;
  readonly takes?: readonly OverrideName[];
  readonly cast: (directory: Directory, overrides: Overrides) => Cast;
  /** What the called party does; undefined: what it does anyway. */
  readonly whenCalled: (overrides: Overrides, cast: Cast) => object | undefined;
  readonly story: (talk: Talk, overrides: Overrides) => Promise<Payload>;
}

const PARTIES = ['from', 'to', 'ext'] as const;
/** How long people ring, talk or hold unless told. */
const USUAL_MS = 2000;
const RINGS = { on_call: 'ring' };
const ANSWERS = { on_call: 'answer', after_ms: 0 };

function ofCall({ event, summary, takes = [], cast, whenCalled, story }: CallRecipe): Recipe {
  return {
    event,
    summary,
    takes: [...PARTIES, ...takes],
    perform: async (scene, directory, overrides) => {
      const { caller, called } = cast(directory, overrides);
      const behaviour = whenCalled(overrides, { caller, called });
      if (behaviour !== undefined) await scene.whenCalled(called.party, behaviour);
      const call = await scene.call(caller, called);
      const user = called.party.kind === 'phone' ? called.party : caller;
      const talk: Talk = {
        ...{ scene, call, caller, called },
        event: (name) => scene.event({ name, callId: call.id }),
        wait: (usualMs) => scene.pass(overrides.after ?? usualMs),
        user: (act) => (user.kind === 'phone' ? scene.act(user.ext, { act }) : scene.callerActs(call, { act })),
      };
      try {
        return { call, payload: await story(talk, overrides) };
      } catch (error) {
        await scene.hangUp(call);
        throw error;
      }
    },
  };
}

/** Somebody outside calls a phone of ours, unless the flags name others. */
function fromOutside(directory: Directory, overrides: Overrides): Cast {
  return castOf(directory, overrides, () => ({ kind: 'outside', number: OUTSIDER }));
}

/** Two phones of ours, unless the flags name others. */
function betweenPhones(directory: Directory, overrides: Overrides): Cast {
  return castOf(directory, overrides, (called) => directory.idlePhone(called));
}

function castOf(directory: Directory, { from, to, ext }: Overrides, usual: (called: Party | undefined) => Party): Cast {
  if (to !== undefined && ext !== undefined)
    throw new UsageError('Both --to and --ext name the called party: give one.');
  const named = from === undefined ? undefined : directory.caller('--from', from);
  const wish =
    to === undefined ? (ext === undefined ? undefined : directory.called('--ext', ext)) : directory.called('--to', to);
  const caller = named ?? usual(wish?.party);
  const called = wish ?? extensionOf(directory.idlePhone(caller));
  if (caller.kind === 'phone') {
    if (called.party.kind === 'phone' && called.party.ext === caller.ext)
      throw new UsageError(`The phone ${caller.ext} cannot call itself: --from and the called party are the same.`);
    return { caller, called };
  }
  if (called.party.kind === 'phone') return { caller, called: directory.fromOutside(called) };
  throw new UsageError(`Nobody of ours is in a call from ${caller.number} to ${called.number}: name an extension.`);
}

function extensionOf(party: Party): Called {
  return { party, number: party.kind === 'phone' ? party.ext : party.number };
}

/** A phone of ours calls the public network. */
function toOutside(directory: Directory, { from, to, ext }: Overrides): Cast {
  if (from !== undefined && ext !== undefined)
    throw new UsageError('Both --from and --ext name the calling phone: give one.');
  const caller =
    from !== undefined
      ? directory.caller('--from', from)
      : ext !== undefined
        ? directory.caller('--ext', ext)
        : directory.idlePhone();
  if (caller.kind !== 'phone')
    throw new UsageError('call.failed is of calls to the public network: --from expected an extension.');
  const called = directory.called('--to', to ?? BUSY_NUMBER);
  if (called.party.kind === 'outside') return { caller, called };
  throw new UsageError('call.failed is of calls to the public network: --to expected a number that is not ours.');
}

/** Who is missed is one of ours; a call to the public network fails instead. */
function missable(directory: Directory, overrides: Overrides): Cast {
  const cast = fromOutside(directory, overrides);
  if (cast.called.party.kind === 'phone') return cast;
  throw new UsageError('call.missed is of calls to users: --to expected an extension or a number of ours.');
}

/** Once they talk. */
async function connected(talk: Talk): Promise<void> {
  await talk.event('call.connected');
}

export const recipes: readonly Recipe[] = [
  ofCall({
    event: 'call.initial',
    summary: 'a call from outside comes in for a phone',
    cast: fromOutside,
    whenCalled: () => RINGS,
    story: (talk) => talk.event('call.initial'),
  }),
  ofCall({
    event: 'call.ringing',
    summary: 'a call from outside comes in and the phone rings',
    cast: fromOutside,
    whenCalled: () => RINGS,
    story: (talk) => talk.event('call.ringing'),
  }),
  ofCall({
    event: 'call.missed',
    summary: 'the phone rings and the caller gives up after 2 s',
    takes: ['after'],
    cast: missable,
    whenCalled: () => RINGS,
    story: async (talk) => {
      await talk.event('call.ringing');
      await talk.wait(USUAL_MS);
      await talk.scene.hangUp(talk.call);
      return talk.event('call.missed');
    },
  }),
  ofCall({
    event: 'call.connected',
    summary: 'the phone rings and its user answers after 2 s',
    takes: ['after'],
    cast: fromOutside,
    whenCalled: ({ after = USUAL_MS }) => ({ on_call: 'answer', after_ms: after }),
    story: (talk) => talk.event('call.connected'),
  }),
  ofCall({
    event: 'call.failed',
    summary: 'a phone calls a busy number of the public network',
    takes: ['after'],
    cast: toOutside,
    whenCalled: (_, { called }) => (MAGIC.test(called.number) ? undefined : { on_call: 'busy' }),
    story: async (talk, { after = USUAL_MS }) => {
      const failed = { name: 'call.failed', callId: talk.call.id };
      const soon = await talk.scene.eventWithin(failed, after);
      if (soon !== undefined) return soon;
      await talk.scene.hangUp(talk.call);
      return talk.event('call.failed');
    },
  }),
  ofCall({
    event: 'call.hangup',
    summary: 'two parties talk for 2 s and the caller hangs up',
    takes: ['after'],
    cast: fromOutside,
    whenCalled: () => ANSWERS,
    story: async (talk) => {
      await connected(talk);
      await talk.wait(USUAL_MS);
      await talk.scene.hangUp(talk.call);
      return talk.event('call.hangup');
    },
  }),
  ofCall({
    event: 'call.hold',
    summary: 'two phones talk and the called one holds',
    takes: ['after'],
    cast: betweenPhones,
    whenCalled: () => ANSWERS,
    story: async (talk) => {
      await connected(talk);
      await talk.wait(0);
      await talk.user('hold');
      return talk.event('call.hold');
    },
  }),
  ofCall({
    event: 'call.unhold',
    summary: 'two phones talk, the called one holds and resumes after 2 s',
    takes: ['after'],
    cast: betweenPhones,
    whenCalled: () => ANSWERS,
    story: async (talk) => {
      await connected(talk);
      await talk.user('hold');
      await talk.event('call.hold');
      await talk.wait(USUAL_MS);
      await talk.user('resume');
      return talk.event('call.unhold');
    },
  }),
  {
    event: 'sms.received',
    summary: 'a text message comes in for a number of ours',
    takes: ['from', 'to', 'ext', 'text'],
    perform: receiveSms,
  },
  ofCall({
    event: 'call.dtmf',
    summary: 'two parties talk and the caller presses 5',
    takes: ['after', 'digit'],
    cast: fromOutside,
    whenCalled: () => ANSWERS,
    story: async (talk, { digit = '5' }) => {
      await connected(talk);
      await talk.wait(0);
      await talk.scene.callerActs(talk.call, { act: 'digits', digits: digit });
      return talk.event('call.dtmf');
    },
  }),
];

async function receiveSms(scene: Scene, directory: Directory, overrides: Overrides): Promise<Triggered> {
  const { from = OUTSIDER, text = 'A message from pbxsim.' } = overrides;
  if (overrides.to !== undefined && overrides.ext !== undefined)
    throw new UsageError('Both --to and --ext name the receiver: give one.');
  const to =
    overrides.ext === undefined
      ? directory.ourNumber('--to', overrides.to)
      : directory.ourNumber('--ext', overrides.ext);
  const after = await scene.last();
  await scene.sms({ from, to, text });
  const fits = (payload: Payload): boolean => payload.from_no === from && payload.to_no === to && payload.text === text;
  return { call: undefined, payload: await scene.event({ name: 'sms.received', after, fits }) };
}
