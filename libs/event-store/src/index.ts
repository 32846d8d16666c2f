export { appendFact } from './append-fact.js';
export { CommandHandler, type Loaded } from './command-handler.js';
export { EventIds } from './event-ids.js';
export {
  type AppendResult,
  AppendTooLarge,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type NewEvent,
  NO_STREAM,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamName,
  streamName,
  StreamTombstoned,
  type SubscribeOptions,
  type SubscriptionItem,
  WrongExpectedRevision,
} from './event-store.js';
export { openEventStoreDb } from './eventstoredb/open-eventstoredb.js';
export { KeyedQueue } from './keyed-queue.js';
export { history, Projection } from './projection.js';
export { SqliteEventStore, type SqliteEventStoreOptions } from './sqlite/sqlite-event-store.js';
export { StreamChanges } from './stream-changes.js';
