// The library: a simulator inside your own tests and programs. Exports what they need to say and nothing else.
export type { EventName, WebhookCategory } from './contract/events.ts';
export type { FaultAction, FaultDraft, FaultMatch, FaultView } from './faults/rule.ts';
export type { ClockMode } from './kernel/clock.ts';
export type { FailureKind } from './kernel/errors.ts';
export type { Capture, CaptureAnswer, CapturedEvent, EventWish } from './library/capture.ts';
export type { SimulatorClock } from './library/clock.ts';
export type { SimulatorFaults } from './library/faults.ts';
export type { Entry, EntryFilter, EntryWish, SimulatorJournal } from './library/journal.ts';
export {
  type CreateOptions,
  createSimulator,
  type PbxSimulator,
  type RequestHandler,
  type Snapshot,
} from './library/pbx-simulator.ts';
export type { ActDone, ActWish, BehaviourWish, InboundWish, OfCustomer, Phones, Trunk } from './library/phones.ts';
export { Refused } from './library/refusal.ts';
export { TimedOut, type WaitOptions } from './library/waiting.ts';
export type { SimulatorWebhooks, WebhookWish } from './library/webhooks.ts';
export type { Act, ActName } from './phones/acts.ts';
export type { Behaviour } from './phones/behaviour.ts';
export type { PublicCallView, Script } from './phones/carrier.ts';
export type { PhoneView } from './phones/fleet.ts';
export type { SipAddresses } from './simulator.ts';
export type { Mail } from './store/outbox.ts';
export type { Role, SeededUser } from './store/seed/people.ts';
export type { SeededCustomer } from './store/seed/world.ts';
export type { TrafficState } from './traffic/ports.ts';
export type { Delivery } from './webhooks/log.ts';
export type { Payload } from './webhooks/payload.ts';
export type { Webhook } from './webhooks/subscriptions.ts';
