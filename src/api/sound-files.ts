// Recordings and voice messages as the API sends them: MP3 files. Knows no encoder.
import type { Monitor, VoiceMessage } from '../contract/resources/history.ts';
import type { Recordings } from '../media/recordings.ts';
import { type ApiDeps, file, type Outcome } from './request.ts';

/** `size` bytes long. It follows the timeline of its call where that one has a trace. */
export async function recordingFile(
  recordings: Pick<Recordings, 'recording'>,
  traces: ApiDeps['traces'],
  monitor: Monitor,
): Promise<Outcome> {
  const trace = traces.read(monitor.live_id);
  const sound = await recordings.recording(monitor, trace.ok ? trace.value.entries : []);
  return sound.ok ? file(sound.value, `monitor-${monitor.id}.mp3`) : sound;
}

export async function voiceMessageFile(
  recordings: Pick<Recordings, 'voiceMessage'>,
  message: VoiceMessage,
): Promise<Outcome> {
  const sound = await recordings.voiceMessage(message);
  return sound.ok ? file(sound.value, `voicemessage-${message.id}.mp3`) : sound;
}
