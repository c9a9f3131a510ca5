// Offers and answers of a phone without sound: codecs, hold, and what is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canAnswer, MediaSession } from './media-session.ts';

function sdp(...stream: string[]): string {
  const session = ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0'];
  return [...session, ...stream, ''].join('\r\n');
}

const session = (): MediaSession => new MediaSession({ host: '127.0.0.1', port: 40_000 });
const lines = async (described: Promise<{ body: string }>): Promise<string[]> => (await described).body.split('\r\n');

describe('an offer', () => {
  it('has G.711 and digits', async () => {
    expect(await lines(session().getDescription())).toEqual([
      'v=0',
      'o=- 40000 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 40000 RTP/AVP 0 8 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-16',
      'a=sendrecv',
      '',
    ]);
  });

  it('holds with sendonly, and each has a higher version', async () => {
    const media = session();
    await media.getDescription();
    await media.setDescription(sdp('m=audio 4000 RTP/AVP 0'));
    const held = await lines(media.getDescription({ hold: true }));
    expect(held).toContain('a=sendonly');
    expect(held[1]).toBe('o=- 40000 2 IN IP4 127.0.0.1');
  });
});

describe('an answer', () => {
  it('takes the first codec of the offerer that it speaks, with the numbers of the offerer', async () => {
    const media = session();
    await media.setDescription(
      sdp(
        'm=audio 4000 RTP/AVP 18 96 0 97',
        'a=rtpmap:18 G729/8000',
        'a=rtpmap:96 pcma/8000',
        'a=rtpmap:97 telephone-event/8000',
      ),
    );
    const answer = await lines(media.getDescription());
    expect(answer.slice(5)).toEqual([
      'm=audio 40000 RTP/AVP 96 97',
      'a=rtpmap:96 PCMA/8000',
      'a=rtpmap:97 telephone-event/8000',
      'a=fmtp:97 0-16',
      'a=sendrecv',
      '',
    ]);
  });

  it.each([
    ['sendrecv', false, 'sendrecv'],
    ['sendonly', false, 'recvonly'],
    ['recvonly', false, 'sendonly'],
    ['inactive', false, 'inactive'],
    ['sendrecv', true, 'sendonly'],
    ['sendonly', true, 'inactive'],
    ['recvonly', true, 'sendonly'],
  ])('to %s, holding itself: %s, is %s', async (offered, hold, answered) => {
    const media = session();
    await media.setDescription(sdp('m=audio 4000 RTP/AVP 0', `a=${offered}`));
    expect(await lines(media.getDescription({ hold }))).toContain(`a=${answered}`);
  });

  it('to the older way to hold is recvonly', async () => {
    const media = session();
    await media.setDescription(sdp('m=audio 4000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'));
    expect(await lines(media.getDescription())).toContain('a=recvonly');
  });

  it('refuses each stream but one, in their order', async () => {
    const media = session();
    await media.setDescription(
      sdp('m=video 5000 RTP/AVP 96', 'a=rtpmap:96 H264/90000', 'm=audio 4000 RTP/AVP 8', 'm=audio 4002 RTP/AVP 0'),
    );
    const streams = (await lines(media.getDescription())).filter((line) => line.startsWith('m='));
    expect(streams).toEqual(['m=video 0 RTP/AVP 96', 'm=audio 40000 RTP/AVP 8', 'm=audio 0 RTP/AVP 0']);
  });

  it('is impossible without a codec in common, and the last agreement stays', async () => {
    const offer = sdp('m=audio 4000 RTP/AVP 18', 'a=rtpmap:18 G729/8000');
    expect([canAnswer(offer), canAnswer(sdp('m=audio 4000 RTP/SAVPF 0')), canAnswer('nonsense')]).toEqual([
      false,
      false,
      false,
    ]);
    await expect(session().setDescription(offer)).rejects.toThrow('Nothing in the offer can be spoken here.');
  });

  it('is refused, and no more than that, to what is no description at all', () => {
    const line = fc.tuple(
      fc.constantFrom('m=', 'm=audio ', 'm=audio 1 RTP/AVP ', 'a=rtpmap:', 'c=', 'v=', ''),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (written) => {
        const text = written.map((parts) => parts.join('')).join('\r\n');
        expect([true, false]).toContain(canAnswer(text));
      }),
    );
  });
});
