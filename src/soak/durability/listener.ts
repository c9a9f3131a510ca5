// Two real phones that talk and are recorded while others write, and what was heard and sent in their calls: whatever was shown once
// has to be the same in the next process. One listener for each file; it outlives the simulators.
import { UdpPhone } from '../../e2e/udp-phone.ts';
import type { Random } from '../../kernel/random.ts';
import type { ServedFile, ServedUser } from './served-file.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Told of one talk: what its files are, byte for byte; undefined when nobody was shown it. */
interface Shown {
  readonly path: string;
  readonly bytes: Buffer;
}

const TALK_MS = 500;
const LOOK_MS = 50;
/** A connection may end before the process is seen to be gone. */
const GONE_MS = 2000;
/** Talks whose files are asked for again after each end. */
const CHECKED = 12;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Listener {
  /** Why a talk came to nothing while the simulator lived. */
  readonly refused: string[] = [];
  /** Talks of which recording and trace were shown. */
  talks = 0;
  readonly #random: Random;
  readonly #callee: string;
  readonly #asked: ServedUser;
  readonly #places: readonly number[];
  #shown: Shown[] = [];
  /** Ends what is being said. */
  #hush: () => void = () => {};
  /** Paths of recordings whose deletion was answered. */
  readonly #deleted: string[] = [];

  /** Those two users talk, whom nobody else has call; the first user sees all. */
  constructor({ ready: { users } }: ServedFile, places: readonly [number, number], random: Random) {
    const [asked, callee] = [users[0], users[places[1]]];
    if (asked === undefined || callee === undefined) throw new Error(`there are no users ${places}`);
    this.#asked = asked;
    this.#callee = callee.ext;
    this.#places = places;
    this.#random = random;
  }

  /** One talk after another until `ended`. Calls `onTalk` when one was shown. */
  async listen(served: ServedFile, ended: Promise<void>, onTalk: () => void): Promise<void> {
    const [host = '', port = ''] = served.ready.sip.udp.split(':');
    const user = (index: number): ServedUser => served.ready.users[index] ?? this.#asked;
    const phones = this.#places.map(
      (index) => new UdpPhone({ sip: { udp: { host, port: Number(port) } }, user }, index),
    );
    let isOver = false;
    const over = ended.then(() => {
      isOver = true;
    });
    const talk = async (): Promise<void> => {
      for (const phone of phones) {
        await phone.start();
        await phone.register();
      }
      while (!isOver) {
        await this.#talk(served, phones);
        onTalk();
      }
    };
    // A process that is killed answers nothing any more.
    const talking = talk().catch(async (error: unknown) => {
      await Promise.race([over, pause(GONE_MS)]);
      if (!isOver) this.refused.push(`a talk failed: ${error instanceof Error ? error.message : String(error)}`);
      onTalk();
      return over;
    });
    await Promise.race([over, talking]);
    this.#hush();
    for (const phone of phones) await phone.stop();
  }

  /** What the simulator shows otherwise than it did, one sentence each. */
  async check(served: ServedFile): Promise<string[]> {
    const wrong: string[] = [];
    for (const { path, bytes } of this.#shown.slice(-2 * CHECKED)) {
      const now = await served.fetch('GET', path, undefined, this.#key);
      if (now.status !== 200) wrong.push(`${path} is answered ${now.status}`);
      else if (!now.bytes.equals(bytes)) wrong.push(`${path} has other bytes than before`);
    }
    for (const path of this.#deleted.slice(-CHECKED)) {
      const { status } = await served.fetch('GET', path, undefined, this.#key);
      if (status !== 404) wrong.push(`${path} was deleted and is answered ${status}`);
    }
    return wrong;
  }

  async #talk(served: ServedFile, [caller]: readonly UdpPhone[]): Promise<void> {
    const before = await this.#newest(served, 0);
    await caller?.call(this.#callee);
    const [call] = await this.#list(served, '/calls?limit=5000', ({ dst }) => dst === this.#callee);
    await served.ask('PATCH', `/calls/${call?.id}`, { monitor_state: 'start' }, this.#key);
    this.#hush = caller?.speak(300 + this.#random.int(2000)) ?? this.#hush;
    await pause(TALK_MS);
    this.#hush();
    caller?.session?.end();
    let monitor: number | undefined;
    while (monitor === undefined) {
      await pause(LOOK_MS);
      monitor = await this.#newest(served, before ?? 0);
    }
    const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: call?.id }]));
    const [cdr] = await this.#list(served, `/cdrs?filter=${filter}`, () => true);
    const shown = [
      await this.#show(served, `/monitors/${monitor}.mp3`),
      await this.#show(served, `/cdrs/${cdr?.id}.pcap`),
    ];
    this.#shown.push(...shown);
    this.talks += 1;
    if (this.#random.int(4) === 0) await this.#delete(served);
  }

  async #delete(served: ServedFile): Promise<void> {
    const recordings = this.#shown.filter(({ path }) => path.startsWith('/monitors/'));
    const path = recordings[this.#random.int(recordings.length)]?.path ?? '';
    // Without an answer nobody knows whether it is there.
    this.#shown = this.#shown.filter((one) => one.path !== path);
    const id = /\d+/.exec(path)?.[0];
    const { status } = await served.ask('DELETE', `/_sim/records/monitors/${id}`);
    if (status === 204) this.#deleted.push(path);
  }

  async #show(served: ServedFile, path: string): Promise<Shown> {
    const { status, bytes } = await served.fetch('GET', path, undefined, this.#key);
    if (status !== 200) throw new Error(`${path} is answered ${status}`);
    return { path, bytes };
  }

  /** The newest recording after that one. */
  async #newest(served: ServedFile, after: number): Promise<number | undefined> {
    const all = await this.#list(served, '/monitors?limit=5000', ({ id }) => Number(id) > after);
    return all.length === 0 ? undefined : Math.max(...all.map(({ id }) => Number(id)));
  }

  async #list(served: ServedFile, path: string, keep: (record: Facts) => boolean): Promise<Facts[]> {
    const { body } = await served.ask('GET', path, undefined, this.#key);
    return (body.data as Facts[]).filter(keep);
  }

  get #key(): readonly [number, string] {
    return [this.#asked.user_id, this.#asked.api_key ?? ''];
  }
}
