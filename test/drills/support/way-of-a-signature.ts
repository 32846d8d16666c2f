import type { Viewer } from '../../../lab/observed/viewer.ts';

/** A valid body of a signing session. */
export const SIGNING = { signature_type: 'SIGNING', signed_data_hash: 'ab'.repeat(64), signed_data_name: 'contract.txt', title: 'A contract' };

/** The spans of one signature, from the relying party's request over the store, the relay and Kafka to the container and the webhook. */
export const WAY_OF_A_SIGNATURE: readonly string[] = [
  'session-api: POST /relying-party/v1/session',
  'session-api: append session',
  'event-relay: publish session.created',
  'device-api: decide session',
  'device-api: append session',
  'signing: process session.confirmed',
  'signing: time-stamp',
  'signing: append session',
  'webhook-dispatcher: process session.completed',
  'webhook-dispatcher: webhook session.completed',
];

/** The spans of a trace that the viewer has received so far, as `<service>: <name>`. */
export const stepsOf = (viewer: Viewer, trace: string): ReadonlySet<string> =>
  new Set(viewer.traces().flatMap((spans) => spans.flatMap(({ traceId, service, name }) => (traceId === trace ? [`${service}: ${name}`] : []))));
