import { type DomainEvent, type EventId, Note, type Randomness, SystemRandomness } from '#kernel';

import { newEventIds } from '../event-ids.js';
import {
  type AppendOptions,
  type AppendResult,
  categoryOf,
  type EventMetadata,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../event-store.js';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { dataText } from '../prepare-append.js';
import { acceptedItems } from './accepted-items.js';
import { BEGIN, type EventMacs, EXPIRED, type Link, linkTo, type MacParts, noteParts } from './event-macs.js';
import { checkChain, type Shortening } from './event-chain.js';
import { LateKeys } from './late-keys.js';
import { type RefusalReason, StreamRefused } from './stream-refused.js';
import { StreamTails } from './stream-tails.js';

export interface AuthenticationOptions {
  readonly macs: EventMacs;
  /** Streams that lose events from their start, by category. A stream of any other category shows all its events from revision 0 on. */
  readonly shortened: (category: string) => Shortening | undefined;
  /** Told of each refusal: an alarm. */
  readonly refused: (refusal: StreamRefused) => void;
  /** Makes the ids of events. Default: the operating system's. */
  readonly randomness?: Randomness;
  /** Waits so many milliseconds, or until the signal. Default: the system's timer. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Signed {
  readonly append: StreamAppend;
  /** Names the last of the events. */
  readonly last: Link;
}

/**
 * Gives each event a MAC, and refuses a stream that holds an event without a valid one: ADR 0021.
 *
 * Reads throw {@link StreamRefused}. A subscription leaves out an event that is refused, since the consumers of all other streams would wait for it; for a key that this
 * process has not got yet, it waits first. Members of the metadata that the MAC does not cover are not shown: ADR 0111.
 */
export class AuthenticatedEventStore extends ForwardingEventStore {
  readonly #tails: StreamTails;
  /** Events and lists that were checked already and are shown as they are: a store may return the same objects again. */
  readonly #checked = new Note<RecordedEvent | readonly RecordedEvent[], true>();
  readonly #randomness: Randomness;
  readonly #lateKeys: LateKeys;

  constructor(
    store: EventStore,
    private readonly options: AuthenticationOptions,
  ) {
    super(store);
    this.#tails = new StreamTails(store);
    this.#randomness = options.randomness ?? new SystemRandomness();
    this.#lateKeys = new LateKeys(() => options.macs.rereadKeys(), options.pause);
  }

  /** Also throws {@link StreamRefused} when the event to append after is refused. */
  override async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const known = this.#knownLink(stream, expected);
    if (known) return this.#append(stream, expected, known, events, options);
    // The caller may change its objects while the predecessor is read.
    const taken = structuredClone(events);
    return this.#append(stream, expected, await this.#readLink(stream, expected as number), taken, options);
  }

  /** Also throws {@link StreamRefused} when one of the events to append after is refused. */
  override async appendTogether(...[appends, unchanged]: Parameters<EventStore['appendTogether']>): Promise<readonly AppendResult[] | undefined> {
    const links = appends.map(({ stream, expected }) => this.#knownLink(stream, expected));
    // When every link is known, the store gets the events at once, before the caller can change them.
    const signed = links.every((link) => link !== undefined) ? this.#signedEach(appends, links) : await this.#signedAfterReads(appends);
    const all = signed.map(({ append }) => append);
    const results = await this.store.appendTogether(all, unchanged);
    results?.forEach(({ revision }, index) => {
      const { append, last } = signed[index] as Signed;
      // Of a repetition, the store keeps what the first one has stored.
      if (appends[index]?.ids) this.#tails.delete(append.stream);
      else this.#tails.set(append.stream, { revision, link: last });
    });
    return results;
  }

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    // Without options the store may return the list that it returned before.
    const events = await (options ? this.store.read<Event>(stream, options) : this.store.read<Event>(stream));
    if (this.#checked.get(events)) return events;
    let refused = this.#refusedOf(stream, events);
    if (refused?.cause === 'key') {
      await this.options.macs.rereadKeys();
      refused = this.#refusedOf(stream, events);
    }
    if (refused) throw this.#refused(stream, refused.revision, refused.cause);
    const broken = checkChain(events, options ?? {}, this.options.shortened(categoryOf(stream)));
    if (broken !== undefined) throw this.#refused(stream, broken, 'chain');
    this.#noteTail(stream, events, options);
    if (!events.every((event) => this.#checked.get(event))) return events.map((event) => this.options.macs.shown(event));
    if (!options) this.#checked.set(events, true);
    return events;
  }

  /** Only a list that {@link read} has answered before, since that one was checked. */
  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    const events = this.store.recent<Event>(stream);
    return events && this.#checked.get(events) ? events : undefined;
  }

  override subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>> {
    return acceptedItems(this.store.subscribe<Event>(options), {
      isChecked: (event) => this.#checked.get(event) === true,
      judge: async (event) => {
        const cause = await this.#lastingRefusal(event, options.signal);
        if (!cause) return this.options.macs.shown(event);
        if (cause === 'key' && options.signal.aborted) return 'ended';
        this.#refused(event.stream, event.revision, cause);
        return 'refused';
      },
    });
  }

  async #append(
    stream: StreamName,
    expected: ExpectedRevision,
    link: Link,
    events: readonly NewEvent[],
    { ids: repeated }: AppendOptions,
  ): Promise<AppendResult> {
    const ids = repeated ?? newEventIds(this.#randomness, stream, events.length);
    const { append, last } = this.#signed(stream, expected, link, events, ids);
    const result = await this.store.append(stream, expected, append.events, append);
    // Of a repetition, the store keeps what the first append has stored.
    if (repeated) this.#tails.delete(stream);
    else this.#tails.set(stream, { revision: result.revision, link: last });
    return result;
  }

  async #signedAfterReads(appends: readonly StreamAppend[]): Promise<readonly Signed[]> {
    const taken = appends.map((append) => ({ ...append, events: structuredClone(append.events) }));
    const linkOf = async ({ stream, expected }: StreamAppend): Promise<Link> =>
      this.#knownLink(stream, expected) ?? (await this.#readLink(stream, expected as number));
    return this.#signedEach(taken, await Promise.all(taken.map(linkOf)));
  }

  #signedEach(appends: readonly StreamAppend[], links: readonly Link[]): readonly Signed[] {
    return appends.map(({ stream, expected, events, ids }, index) =>
      this.#signed(stream, expected, links[index] as Link, events, ids ?? newEventIds(this.#randomness, stream, events.length)),
    );
  }

  #signed(stream: StreamName, expected: ExpectedRevision, link: Link, events: readonly NewEvent[], ids: readonly EventId[]): Signed {
    const first = expected === NO_STREAM ? 0 : expected + 1;
    let last = link;
    const texts: string[] = [];
    const made: MacParts[] = [];
    const signed = events.map((event, index): NewEvent => {
      const { type, data, metadata = VERSION_1 } = event;
      const { mac: _, ...rest } = metadata;
      const text = dataText(data);
      texts.push(text);
      const covered = { stream, revision: first + index, id: ids[index] ?? '', type, data: text, metadata: rest };
      const { mac, parts } = this.options.macs.make(covered, last);
      made.push(parts);
      last = parts.next;
      return { type, data, metadata: { ...rest, mac } as EventMetadata };
    });
    // The store makes the kept events from the signed texts, and no other code has had them since: they need no check.
    const kept = (events: readonly RecordedEvent[]): void => {
      for (const [index, event] of events.entries()) {
        this.#checked.set(event, true);
        noteParts(event, made[index] as MacParts);
      }
    };
    return { append: { stream, expected, events: signed, ids, texts, kept }, last };
  }

  #knownLink(stream: StreamName, expected: ExpectedRevision): Link | undefined {
    if (expected === NO_STREAM) return BEGIN;
    const tail = this.#tails.get(stream);
    return tail?.revision === expected ? tail.link : undefined;
  }

  async #readLink(stream: StreamName, revision: number): Promise<Link> {
    if (!Number.isSafeInteger(revision) || revision < 0) return EXPIRED; // the store refuses such a revision
    const [before] = await this.read(stream, { direction: 'backwards', from: revision, limit: 1 });
    return (before && linkTo(before)) ?? EXPIRED;
  }

  /** Only of a read that shows the end of the stream. */
  #noteTail(stream: StreamName, events: readonly RecordedEvent[], { direction = 'forwards', from, limit }: ReadOptions = {}): void {
    const last = direction === 'forwards' ? limit === undefined && events.at(-1) : from === undefined && events[0];
    const link = last && linkTo(last);
    if (link) this.#tails.set(stream, { revision: last.revision, link });
  }

  /** The first event that is refused by itself. */
  #refusedOf(stream: StreamName, events: readonly RecordedEvent[]): { readonly revision: number; readonly cause: RefusalReason } | undefined {
    for (const event of events) {
      const cause = event.stream !== stream ? 'forged' : this.#checked.get(event) ? undefined : this.#check(event);
      if (cause) return { revision: event.revision, cause };
    }
    return undefined;
  }

  /** Notes an event whose MAC is right, so that it is checked once. One that is not shown as it is will be checked again. */
  #check(event: RecordedEvent): RefusalReason | undefined {
    const { macs } = this.options;
    const cause = macs.refusal(event);
    if (cause === undefined && macs.shown(event) === event) this.#checked.set(event, true);
    return cause;
  }

  /** Why an event of a subscription is refused. A subscription shows it only once, so this first waits for a key that the process has not read yet. */
  async #lastingRefusal(event: RecordedEvent, signal: AbortSignal): Promise<RefusalReason | undefined> {
    let cause = this.#check(event);
    if (cause === 'key') await this.#lateKeys.wait(() => (cause = this.#check(event)) !== 'key', signal);
    return cause;
  }

  #refused(stream: StreamName, revision: number, cause: RefusalReason): StreamRefused {
    const refusal = new StreamRefused(stream, revision, cause);
    this.options.refused(refusal);
    return refusal;
  }
}

const VERSION_1: EventMetadata = { v: 1 };
