// Repeats over UDP by RFC 3261, 17, to the millisecond.
import { describe, expect, it } from 'vitest';
import type { TimeHost } from '../../kernel/clock.ts';
import { Timeline } from '../../kernel/timeline.ts';
import { Retransmission } from './retransmission.ts';

function message(start: string, branch: string, cseq: string): string {
  return [
    start,
    `Via: SIP/2.0/UDP 127.0.0.1:5070;branch=${branch};rport`,
    'From: <sip:101@pbxsim.test>;tag=a',
    'To: <sip:102@pbxsim.test>',
    'Call-ID: 1@pbxsim.test',
    `CSeq: ${cseq}`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

const INVITE = message('INVITE sip:102@pbxsim.test SIP/2.0', 'z9hG4bKi', '1 INVITE');
const TRYING = message('SIP/2.0 100 Trying', 'z9hG4bKi', '1 INVITE');
const BUSY = message('SIP/2.0 486 Busy Here', 'z9hG4bKi', '1 INVITE');
const OK = message('SIP/2.0 200 OK', 'z9hG4bKi', '1 INVITE');
const ACK = message('ACK sip:102@pbxsim.test SIP/2.0', 'z9hG4bKi', '1 ACK');
const CANCEL = message('CANCEL sip:102@pbxsim.test SIP/2.0', 'z9hG4bKi', '1 CANCEL');
const CANCEL_OK = message('SIP/2.0 200 OK', 'z9hG4bKi', '1 CANCEL');
const BYE = message('BYE sip:102@pbxsim.test SIP/2.0', 'z9hG4bKb', '2 BYE');
const BYE_TRYING = message('SIP/2.0 100 Trying', 'z9hG4bKb', '2 BYE');
const BYE_OK = message('SIP/2.0 200 OK', 'z9hG4bKb', '2 BYE');

class Rig {
  readonly #timeline = new Timeline({ mode: 'manual', startMs: 0 });
  /** When each message went out, by its start line. */
  readonly sent: Array<{ readonly at: number; readonly text: string }> = [];
  readonly repeats = new Retransmission(this.#host(), (text) => this.sent.push({ at: this.#timeline.now(), text }));

  /** Times at which that message went out. */
  timesOf(text: string): number[] {
    return this.sent.filter((one) => one.text === text).map(({ at }) => at);
  }

  at(ms: number): this {
    this.#timeline.advanceTo(ms);
    return this;
  }

  #host(): TimeHost {
    return {
      now: () => this.#timeline.now(),
      alarm: (delayMs, fn) => {
        const timer = this.#timeline.after(delayMs, 'repeat', fn);
        return () => timer.cancel();
      },
      defer: (fn) => this.#timeline.soon(fn),
    };
  }
}

describe('our requests', () => {
  it('INVITE goes out again at doubling intervals until 32 s are over (timers A and B)', () => {
    const rig = new Rig();
    rig.repeats.outgoing(INVITE);
    rig.at(100_000);
    expect(rig.timesOf(INVITE)).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500]);
    expect(rig.repeats.quiet).toBe(true);
  });

  it('INVITE is not repeated any more after 100', () => {
    const rig = new Rig();
    rig.repeats.outgoing(INVITE);
    expect(rig.at(600).repeats.incoming(TRYING)).toBe(true);
    rig.at(60_000);
    expect(rig.timesOf(INVITE)).toEqual([0, 500]);
  });

  it('all others double up to 4 s (timers E and F), and end with the final response', () => {
    const rig = new Rig();
    rig.repeats.outgoing(BYE);
    rig.at(17_000);
    expect(rig.timesOf(BYE)).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500]);
    expect(rig.repeats.quiet).toBe(false);
    expect(rig.repeats.incoming(BYE_OK)).toBe(true);
    expect(rig.repeats.quiet).toBe(true);
    rig.at(60_000);
    expect(rig.timesOf(BYE)).toHaveLength(7);
  });

  it('go every 4 s once a provisional response came', () => {
    const rig = new Rig();
    rig.repeats.outgoing(BYE);
    rig.at(600).repeats.incoming(BYE_TRYING);
    rig.at(10_000);
    expect(rig.timesOf(BYE)).toEqual([0, 500, 1500, 5500, 9500]);
  });

  it('CANCEL has the branch of its INVITE and is a transaction of its own', () => {
    const rig = new Rig();
    rig.repeats.outgoing(INVITE);
    rig.repeats.incoming(TRYING);
    rig.repeats.outgoing(CANCEL);
    rig.at(600).repeats.incoming(CANCEL_OK);
    rig.at(60_000);
    expect(rig.timesOf(CANCEL)).toEqual([0, 500]);
  });

  it('a refusal that comes again gets the ACK again, and the user agent does not see it twice (timer D)', () => {
    const rig = new Rig();
    rig.repeats.outgoing(INVITE);
    expect(rig.repeats.incoming(BUSY)).toBe(true);
    rig.repeats.outgoing(ACK);
    expect(rig.at(500).repeats.incoming(BUSY)).toBe(false);
    expect(rig.at(1500).repeats.incoming(BUSY)).toBe(false);
    expect(rig.timesOf(ACK)).toEqual([0, 500, 1500]);
    expect(rig.at(40_000).repeats.incoming(BUSY)).toBe(true);
  });
});

describe('requests of the peer', () => {
  it('that come again are answered as before and not seen twice (timer J)', () => {
    const rig = new Rig();
    expect(rig.repeats.incoming(BYE)).toBe(true);
    expect(rig.repeats.incoming(BYE)).toBe(false);
    expect(rig.sent).toEqual([]);
    rig.repeats.outgoing(BYE_OK);
    expect(rig.at(500).repeats.incoming(BYE)).toBe(false);
    expect(rig.timesOf(BYE_OK)).toEqual([0, 500]);
    expect(rig.at(40_000).repeats.incoming(BYE)).toBe(true);
  });

  it('a refused INVITE is refused again until its ACK (timers G and H)', () => {
    const rig = new Rig();
    rig.repeats.incoming(INVITE);
    rig.repeats.outgoing(TRYING);
    rig.repeats.outgoing(BUSY);
    rig.at(8000);
    expect(rig.timesOf(BUSY)).toEqual([0, 500, 1500, 3500, 7500]);
    expect(rig.repeats.quiet).toBe(false);
    expect(rig.repeats.incoming(ACK)).toBe(true);
    expect(rig.repeats.quiet).toBe(true);
    rig.at(60_000);
    expect(rig.timesOf(BUSY)).toHaveLength(5);
  });

  it('a refusal without ACK is given up after 32 s', () => {
    const rig = new Rig();
    rig.repeats.incoming(INVITE);
    rig.repeats.outgoing(BUSY);
    rig.at(100_000);
    expect(rig.timesOf(BUSY)).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(rig.repeats.quiet).toBe(true);
  });

  it('an accepted INVITE is left to sip.js, which repeats 2xx itself', () => {
    const rig = new Rig();
    rig.repeats.incoming(INVITE);
    rig.repeats.outgoing(OK);
    rig.at(60_000);
    expect(rig.timesOf(OK)).toEqual([0]);
  });

  it('every ACK to a 2xx reaches the user agent', () => {
    const rig = new Rig();
    expect([rig.repeats.incoming(ACK), rig.repeats.incoming(ACK)]).toEqual([true, true]);
  });
});

describe('a peer of RFC 2543, without branches', () => {
  it('has its requests told apart by what else differs', () => {
    const rig = new Rig();
    const old = (cseq: string): string => message('BYE sip:101@127.0.0.1 SIP/2.0', 'old', cseq);
    expect(rig.repeats.incoming(old('2 BYE'))).toBe(true);
    expect(rig.repeats.incoming(old('2 BYE'))).toBe(false);
    expect(rig.repeats.incoming(old('3 BYE'))).toBe(true);
  });
});

describe('the end', () => {
  it('stops all repeats and tells who waits for quiet', () => {
    const rig = new Rig();
    let told = 0;
    rig.repeats.outgoing(INVITE);
    rig.repeats.outgoing(BYE);
    const end = rig.repeats.onChange(() => {
      told += 1;
    });
    rig.repeats.stop();
    end();
    rig.at(60_000);
    expect(rig.sent).toHaveLength(2);
    expect([rig.repeats.quiet, told]).toEqual([true, 2]);
  });

  it('what is no SIP is neither sent nor taken', () => {
    const rig = new Rig();
    rig.repeats.outgoing('hello');
    expect(rig.repeats.incoming('\r\n\r\n')).toBe(false);
    expect(rig.sent).toEqual([]);
  });
});
