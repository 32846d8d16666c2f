import type { Shortening } from '#event-store';

/**
 * The categories of streams that lose their first events: by age, or by truncation and a greatest number of events. Streams of all other
 * categories are whole until they are tombstoned, and are refused when they are not.
 */
const SHORTENED: Readonly<Record<string, Shortening>> = {
  approval: 'aged',
  busoffset: 'truncated',
  certificate: 'aged',
  checkpoint: 'truncated',
  clientlogo: 'truncated',
  deadletter: 'aged',
  deliverylog: 'aged',
  device: 'truncated',
  identitydata: 'truncated',
  inbox: 'aged',
  person: 'truncated',
  portalsession: 'aged',
  pushsubscriptions: 'truncated',
  relay: 'truncated',
  result: 'aged',
  signinglog: 'aged',
  subject: 'truncated',
};

export const shortenedStreams = (category: string): Shortening | undefined => (Object.hasOwn(SHORTENED, category) ? SHORTENED[category] : undefined);
