export { appendFact } from './append-fact.js';
export { CommandHandler } from './command-handler.js';
export { countAfter } from './count-after.js';
export { type AnyStreams, DeclaredStreams } from './declared-streams.js';
export { decideAndAppend, type LastEvent, readLast, type StoreAndClock } from './decide-and-append.js';
export {
  type AppendOptions,
  type AppendResult,
  categoryOf,
  type EventMetadata,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  idOf,
  type KeptPlace,
  type NewEvent,
  NO_STREAM,
  type Place,
  type Position,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
  streamName,
  StreamTombstoned,
  type SubscribeOptions,
  type SubscriptionItem,
  SubscriptionRefused,
  WrongExpectedRevision,
} from './event-store.js';
export { AuthenticatedEventStore } from './authentication/authenticated-event-store.js';
export type { Shortening } from './authentication/event-chain.js';
export { EventMacs, keyOfMac } from './authentication/event-macs.js';
export { GuardedEventStore } from './authentication/guarded-event-store.js';
export { type RefusalReason, StreamRefused } from './authentication/stream-refused.js';
export { ScavengeFailed } from './eventstoredb/admin-interface.js';
export { type EventStoreDbAccess, withAccess } from './eventstoredb/eventstoredb-access.js';
export { grantRightsInEventStoreDb, openEventStoreDb, scavengeEventStoreDb } from './eventstoredb/open-eventstoredb.js';
export { ForwardingEventStore } from './forwarding-event-store.js';
export { isKnown, NewerEventStored } from './newer-event.js';
export { history } from './history.js';
export { LOSSES } from './losses.js';
export { lossStream } from './note-loss.js';
export { MARK_CHECK_INTERVAL, MarkWriter } from './marks/mark-writer.js';
export { StoreHistory } from './marks/store-history.js';
export { keptPlace, storedPlace, type StoredPlace } from './marks/stored-place.js';
export { MARK_STREAM, MARKS } from './marks/streams.js';
export { migrate, MigrationRefused } from './migration/migrate.js';
export { release, reserve } from './reservation.js';
export { isWholeSqliteFile } from './sqlite/check-file.js';
export { compactSqliteFile } from './sqlite/compact-file.js';
export { SqliteEventStore } from './sqlite/sqlite-event-store.js';
export { StreamChanges } from './stream-changes.js';
export { decideOnLast, type LastEventType, lastEventOf } from './unit-of-work/last-event.js';
export type { StreamLooks, Streams, StreamInWork } from './unit-of-work/streams.js';
export type { Committed, Loaded, StreamType } from './unit-of-work/stream-type.js';
export { UnitOfWork } from './unit-of-work/unit-of-work.js';
export { AppendTooLarge, MAX_APPEND_BYTES, type ReadOptions } from './event-store.js';
export { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
export { openClient, serverVersionOf } from './eventstoredb/client.js';
export { type AuthenticationOptions } from './authentication/authenticated-event-store.js';
