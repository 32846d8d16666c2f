export { assertNever } from './assert-never.js';
export { fromBase64, fromBase64url } from './base64.js';
export { verifyEs256 } from './es256.js';
export type { Brand } from './brand.js';
export { Clock, epochSeconds, SystemClock } from './clock.js';
export { isCountryCode } from './country-code.js';
export { type Decider, type DomainEvent, type Json, type JsonObject, type KnownEvents, knownEvents, type Stored } from './decider.js';
export { constantTimeEqual, hmac, sha256, sha256Base64url } from './digest.js';
export { DomainError, domainError, InvalidRequest, ServiceUnavailable } from './domain-error.js';
export { duplicateKey } from './duplicate-key.js';
export {
  type ClientId,
  type DeviceId,
  type EndpointId,
  type EventId,
  type IdentityId,
  parseId,
  type SessionId,
  type SubjectId,
  uuidOf,
  uuidOfName,
} from './ids.js';
export { KeyRing, type RingKey } from './key-ring.js';
export { SubjectKeys, type SubjectMigration } from './subject-keys.js';
export { ipv4Within, networksOverlap, withoutMapping } from './ip-networks.js';
export { LINK_LOCAL_NETWORKS, METADATA_ADDRESSES } from './cloud-addresses.js';
export { inParallel } from './in-parallel.js';
export { KeyedQueue } from './keyed-queue.js';
export { once } from './once.js';
export { LocatingTokens } from './locating-token.js';
export { codePoints, isPlainText, onOneLine, PLAIN_TEXT } from './plain-text.js';
export { parsedJson, parsedObject } from './parsed-json.js';
export { isPublicName } from './public-name.js';
export { Randomness, SystemRandomness } from './randomness.js';
export { Note, withNotes } from './notes.js';
export type { Page, PageRequest } from './page.js';
export { growing, type Pause, pause, retry, untilAborted } from '../browser/src/index.js';
export { RecentlyUsed } from './recently-used.js';
export { Recurrence, recurUntil } from './recurrence.js';
export { macRefusal, type MacRefusal, ringMac } from './ring-mac.js';
export { Sealer } from './sealer.js';
export { Secret } from './secret.js';
export { SharedReads } from './shared-reads.js';
export { backgroundPause } from './background-pause.js';
export { beginSpan, inSpan, inSpanAfter, type NewSpan, recordedTraceId, recordSpans, type Span, type SpanAttributes } from './spans.js';
export { currentTraceId, currentTraceparent, inTrace, traceHeaders, traceparentOf } from './trace-context.js';
export { UnderWay } from './under-way.js';
export { WakeUps, type Watch } from './wake-ups.js';
export { TimedOut, within, withinSilence } from './within.js';
