// What an external leg's port is told: where the party is, under which numbers it sends and hears, and what it is to hear.
import { beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import type { Sound } from '../media/sound.ts';
import { Take } from '../media/takes.ts';
import type { Flow } from '../sip/flow.ts';
import { parseSdp } from '../sip/sdp.ts';
import { holdWithMusic, join, LegMedia, type MediaPort, type PortListener, separate } from './leg-media.ts';

/** A port that writes down what it is told. */
class ToldPort implements MediaPort {
  readonly address = { host: '192.0.2.1', port: 20_000 };
  readonly told: unknown[] = [];
  listener: PortListener | undefined;
  isOpen = true;

  setRemote({ host, port }: { host: string; port: number }): void {
    this.told.push(`remote ${host}:${port}`);
  }

  relayTo(other: MediaPort | undefined): void {
    this.told.push(other === undefined ? 'relay nowhere' : 'relay');
  }

  setFormats(formats: Parameters<MediaPort['setFormats']>[0]): void {
    const { codec, receive, send } = formats;
    this.told.push(`${codec} in ${receive.audio}/${receive.events} out ${send.audio}/${send.events}`);
  }

  play({ name }: Sound, loop: boolean): void {
    this.told.push(`play ${name}${loop ? ' again and again' : ''}`);
  }

  stop(): void {
    this.told.push('stop');
  }

  echo(): void {
    this.told.push('echo');
  }

  record(take: Take | undefined): void {
    this.told.push(take === undefined ? 'no take' : 'take');
  }

  enter(): void {}

  sendDigit(digit: string): boolean {
    return digit === '1';
  }

  expectSound(expected: boolean): void {
    this.told.push(expected ? 'expected' : 'may be silent');
  }

  close(): void {
    this.isOpen = false;
  }

  /** What it was told since it was last asked. */
  get news(): unknown[] {
    return this.told.splice(0);
  }
}

const flow = (external: boolean): Flow => ({
  ...{ id: 'udp:test', transport: 'UDP', reliable: false, external, open: true, send: () => {} },
  ...{ local: { host: '192.0.2.1', port: 5060 }, remote: { host: '192.0.2.9', port: 5060 } },
});

const sdp = (...stream: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...stream, ''].join('\r\n');
const offered = (text: string) => {
  const offer = parseSdp(text);
  if (offer === undefined) throw new Error('no offer');
  return offer;
};

const OFFER = sdp('m=audio 4000 RTP/AVP 0 8 97', 'a=rtpmap:97 telephone-event/8000');

let ports: ToldPort[];
beforeEach(() => {
  ports = [];
});

function leg(external = true): LegMedia {
  const open = (): ToldPort => {
    const port = new ToldPort();
    ports.push(port);
    return port;
  };
  return new LegMedia({ flow: flow(external), ports: { open }, random: new Random(1) });
}

describe('an external leg', () => {
  it('that offered is told its own numbers both ways', () => {
    const media = leg();
    media.answer(offered(OFFER), ['PCMA', 'PCMU']);
    expect(ports[0]?.news).toEqual(['remote 192.0.2.9:4000', 'PCMU in 0/97 out 0/97', 'expected']);
    expect(media.hearsKeys).toBe(true);
  });

  it('that answered hears under its numbers, and sends under ours', () => {
    const media = leg();
    media.offer(['PCMU', 'PCMA']);
    media.accept(sdp('m=audio 4000 RTP/AVP 8 96', 'a=rtpmap:96 telephone-event/8000'));
    expect(ports[0]?.news).toEqual(['remote 192.0.2.9:4000', 'PCMA in 8/101 out 8/96', 'expected']);
  });

  it('without keys in its sound is told so', () => {
    const media = leg();
    media.answer(offered(sdp('m=audio 4000 RTP/AVP 8')), ['PCMA']);
    expect(ports[0]?.news).toContain('PCMA in 8/undefined out 8/undefined');
    expect(media.hearsKeys).toBe(false);
  });

  it.each(['a=sendonly', 'a=inactive', 'c=IN IP4 0.0.0.0'])(
    'that holds by %s is sent nothing and may be silent',
    (line) => {
      const media = leg();
      media.answer(offered(`${OFFER}${line}\r\n`), ['PCMU']);
      expect(ports[0]?.news.slice(1)).toEqual(['PCMU in 0/97 out undefined/undefined', 'may be silent']);
    },
  );

  it('passes on what it tells, until it is closed', () => {
    const media = leg();
    const heard: unknown[] = [];
    media.onDigit = (digit) => heard.push(digit);
    media.onSilent = (seconds) => heard.push(seconds);
    media.answer(offered(OFFER), ['PCMU']);
    const { listener } = ports[0] ?? {};
    listener?.digit('5');
    listener?.silent(60);
    expect(heard).toEqual(['5', 60]);
    media.close();
    expect([ports[0]?.isOpen, ports[0]?.listener, media.port, media.hearsKeys]).toEqual([
      false,
      undefined,
      undefined,
      false,
    ]);
  });
});

describe('a leg in memory', () => {
  it('takes every order, and opens no port', () => {
    const media = leg(false);
    media.answer(offered(OFFER), ['PCMU']);
    media.record(new Take());
    media.echo();
    media.stop();
    expect([media.sendDigit('1'), media.hearsKeys, ports]).toEqual([false, false, []]);
  });
});

describe('two legs', () => {
  const answered = (external = true): LegMedia => {
    const media = leg(external);
    media.answer(offered(OFFER), ['PCMU']);
    for (const { told } of ports) told.length = 0;
    return media;
  };

  it('hear each other', () => {
    join(answered(), answered());
    expect(ports.map(({ news }) => news)).toEqual([
      ['relay', 'stop'],
      ['relay', 'stop'],
    ]);
  });

  it('of which one is in memory: the other hears a voice in its place', () => {
    join(answered(), answered(false));
    expect(ports.map(({ news }) => news)).toEqual([['relay nowhere', 'play talk again and again']]);
  });

  it('on hold: music for who is held', () => {
    const [holder, held] = [{ media: answered() }, { media: answered() }];
    holdWithMusic(holder, held, (one) => one === holder);
    expect(ports.map(({ news }) => news)).toEqual([
      ['relay nowhere', 'stop'],
      ['relay nowhere', 'stop', 'play music again and again'],
    ]);
  });

  it('apart: silence', () => {
    separate(answered(), answered());
    expect(ports.map(({ news }) => news)).toEqual([
      ['relay nowhere', 'stop'],
      ['relay nowhere', 'stop'],
    ]);
  });
});
