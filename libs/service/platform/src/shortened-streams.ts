import type { Shortening } from '#engines/event-store';

/**
 * The categories of streams that lose their first events: by age, or by truncation and a limit of events. Streams of all other categories are
 * complete until they are tombstoned; an incomplete one is refused. A test compares the list with the code that shortens streams.
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
  trustservice: 'truncated',
};

export const shortenedStreams = (category: string): Shortening | undefined => (Object.hasOwn(SHORTENED, category) ? SHORTENED[category] : undefined);
