// What a step is, in a few words for reports. Knows no running.
import type { PlannedStep } from '../language/plan.ts';

export function stepWords({ kind, step }: PlannedStep): string {
  if (step.title !== undefined) return step.title;
  switch (kind) {
    case 'do':
      return [step.phone, step.do.replaceAll('_', ' '), step.to ?? step.digits, step.after && `after ${step.after}`]
        .filter((word) => word !== undefined)
        .join(' ');
    case 'is':
      return `${step.phone} is ${step.is}`;
    case 'when_called':
      return `how ${step.phone} meets calls`;
    case 'rest':
      return `request ${step.rest}`;
    case 'configure':
      return `configure ${step.configure}`;
    case 'fault':
      return `fault: ${step.fault} ${step.method} ${step.direction}`;
    case 'live_call':
      return ['live call', [step.state ?? []].flat().join(' or ')].filter((word) => word !== '').join(', ');
    case 'cdr':
      return 'record of the call';
    case 'recording':
      return 'recording of the call';
    case 'sip':
      return `SIP at ${step.sip}`;
    case 'events':
      return `events ${Object.keys(step.events).join(', ')}`.trim();
    case 'wait':
      return `wait ${step.wait}`;
    case 'parallel':
      return 'in parallel';
  }
}
