// pbxsim doctor: whether a target is fit to be judged, point by point, with what to do where it is not.
import { examine } from '../harness/conform/doctor.ts';
import { systemTime } from '../wires/system-time.ts';
import { judgingClient, receiverIdentity } from './conform.ts';
import { type TargetFlags, targetDocumentOf } from './conform-target.ts';

const MARKS = { good: '✓', bad: '✗', absent: '-' } as const;

export async function doctor(named: string, flags: TargetFlags): Promise<void> {
  const document = await targetDocumentOf(named, flags);
  const http = await judgingClient(flags);
  try {
    const points = await examine(document, {
      http,
      nowMs: () => systemTime().now(),
      identity: await receiverIdentity(document, flags),
    });
    for (const { state, name, message } of points) console.log(`${MARKS[state]} ${name.padEnd(16)}${message}`);
    const refused = points.some(({ state, fatal }) => state === 'bad' && fatal);
    process.exitCode = refused ? 5 : points.some(({ state }) => state !== 'good') ? 3 : 0;
  } finally {
    await http.close();
  }
}
