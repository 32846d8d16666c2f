import { ADMINISTRATION_STREAMS } from '#domain/administration';
import { IDENTITY_STREAMS } from '#domain/identity';
import { PUSH_STREAMS } from '#domain/push';
import { RELYING_PARTY_STREAMS } from '#domain/relying-party';
import { SESSION_STREAMS } from '#domain/session';
import { WEBHOOK_STREAMS } from '#domain/webhook';
import { type AnyStreams, categoryOf, DeclaredStreams, EventMacs, LOSSES, MARKS, type Shortening, type StreamName } from '#engines/event-store';
import { BUS_STREAMS } from '#engines/message-bus';
import { type Guarded, HISTORY_ACCEPTANCES, HISTORY_NOTES } from '#engines/transparency-log';
import { type DomainEvent, type KeyRing, knownEvents } from '#kernel';

/** The id and fingerprint of a key that the store was begun with, or that began later. */
export type LastingKeyEvent = DomainEvent<'KeyNoted', { readonly at: number; readonly keyId: string; readonly fingerprint: string }>;

export const LASTING_KEYS = new DeclaredStreams({
  category: 'lastingkey',
  owner: 'libs/service/platform',
  ids: ['subject', 'index'],
  events: knownEvents<LastingKeyEvent>(1, { KeyNoted: true }),
  sealed: false,
  guarded: [],
});

/** The `ENVIRONMENT` that the store was begun in. `at`: epoch milliseconds. */
export type EnvironmentNoted = DomainEvent<'EnvironmentNoted', { readonly at: number; readonly environment: string }>;

export const STORE_ENVIRONMENT = new DeclaredStreams({
  category: 'environment',
  owner: 'libs/service/platform',
  ids: ['store'],
  events: knownEvents<EnvironmentNoted>(1, { EnvironmentNoted: true }),
  acrossEnvironments: true,
  sealed: false,
  guarded: [],
});

/** When a trust service was last heard, by all processes. Epoch milliseconds. */
export type Heard = {
  /** It did what it was asked. */
  readonly lastSuccessAt?: number;
  /** It gave no acceptable answer in time. */
  readonly lastFailureAt?: number;
};

export type TrustServiceHeard = DomainEvent<'TrustServiceHeard', Heard>;

export const TRUST_SERVICE_NOTES = new DeclaredStreams({
  category: 'trustservice',
  owner: 'libs/service/platform',
  ids: ['ca', 'tsa', 'ocsp'],
  events: knownEvents<TrustServiceHeard>(1, { TrustServiceHeard: true }),
  retention: { maxCount: 1 },
  sealed: false,
  guarded: [],
});

/** Declared here and not in the app: the search for keys in use reads the streams of every process. */
export const RELAY_LEASES = new DeclaredStreams({
  category: 'relay',
  owner: 'apps/event-relay',
  ids: ['<topic>'],
  events: knownEvents<DomainEvent<'Relayed'>>(1, { Relayed: true }),
  retention: { maxCount: 1 },
  unmarked: true,
  staysBehind: true,
  sealed: false,
  guarded: [],
});

/** Like those of the relay. */
export const SANDBOX_PHONES = new DeclaredStreams({
  category: 'sandboxphone',
  owner: 'apps/sandbox',
  // The phone of a persona: that of its person.
  ids: ['<deviceId>', '<identityId>'],
  events: knownEvents<DomainEvent<'SandboxPhoneKept'>>(1, { SandboxPhoneKept: true }),
  sealed: true,
  guarded: [],
});

/** Every category of streams of the service. */
export const STREAMS: readonly AnyStreams[] = [
  ...SESSION_STREAMS,
  ...RELYING_PARTY_STREAMS,
  ...IDENTITY_STREAMS,
  ...PUSH_STREAMS,
  ...WEBHOOK_STREAMS,
  ...ADMINISTRATION_STREAMS,
  ...BUS_STREAMS,
  TRUST_SERVICE_NOTES,
  LASTING_KEYS,
  STORE_ENVIRONMENT,
  LOSSES,
  MARKS,
  HISTORY_NOTES,
  HISTORY_ACCEPTANCES,
  RELAY_LEASES,
  SANDBOX_PHONES,
];

const categoriesWhere = (is: (terms: AnyStreams['terms']) => boolean): readonly string[] =>
  STREAMS.filter(({ terms }) => is(terms)).map(({ category }) => category);

/** The categories whose queues a work takes first, in their order. */
export const FIRST_QUEUES: readonly string[] = STREAMS.flatMap(({ category, terms: { queue } }) => (queue === undefined ? [] : [{ category, queue }]))
  .toSorted((one, other) => one.queue - other.queue)
  .map(({ category }) => category);

/** A mark of the store is written after an event of these. */
export const MARKED_CATEGORIES = categoriesWhere(({ unmarked }) => !unmarked);

/** A move to another store leaves these out. */
export const CATEGORIES_LEFT_BEHIND = categoriesWhere(({ staysBehind }) => staysBehind === true);

/** The members of metadata that the services write: those that a MAC covers. */
const METADATA_NAMES: readonly string[] = [...new Set(STREAMS.flatMap(({ terms }) => terms.metadata ?? []))];

const ACROSS_ENVIRONMENTS: ReadonlySet<string> = new Set(categoriesWhere(({ acrossEnvironments }) => acrossEnvironments === true));

/** The MACs that services of the environment give their events: docs/adr/0021-event-macs.md, docs/adr/0111-macs-over-named-metadata.md. */
export const eventMacs = (keys: KeyRing, environment: string): EventMacs => new EventMacs(keys, environment, METADATA_NAMES, ACROSS_ENVIRONMENTS);

const SHORTENED: ReadonlyMap<string, Shortening | undefined> = new Map(STREAMS.map(({ category, shortening }) => [category, shortening]));

/** How the streams of the category lose their first events. Undefined: they are complete until they are tombstoned; an incomplete one is refused. */
export const shortenedStreams = (category: string): Shortening | undefined => SHORTENED.get(category);

/** The streams whose loss of events a process notices by itself: they keep all of them for ever, and no code erases them. */
export const GUARDED_STREAMS: ReadonlySet<StreamName> = new Set(
  STREAMS.filter(({ terms }) => terms.watched).flatMap((streams) => streams.terms.ids.map((id) => streams.of(id))),
);

const GUARDED_TYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  STREAMS.filter(({ terms }) => terms.guarded.length > 0).map(({ category, terms }) => [category, new Set(terms.guarded)]),
);

/** The events of which no loss may go unnoticed. */
export const GUARDED_EVENTS: Guarded = {
  categories: [...GUARDED_TYPES.keys()],
  has: ({ stream, type }) => GUARDED_TYPES.get(categoryOf(stream))?.has(type) === true,
};

const TRUNCATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  STREAMS.map(({ category, terms }) => [category, terms.retention?.truncatedBefore ?? []]),
);

/** The types of events before which a stream of the category may be truncated: such an event has taken up what was before it. */
export const truncatedBefore = (category: string): readonly string[] => TRUNCATIONS.get(category) ?? [];

/** Of the guarded streams those of which there is one: the trail, the tokens, the members and the like. */
export const GUARDED_HEADS: readonly StreamName[] = STREAMS.filter(
  ({ terms }) => terms.guarded.length > 0 && terms.ids.every((id) => !id.startsWith('<')),
).flatMap((streams) => streams.terms.ids.map((id) => streams.of(id)));
