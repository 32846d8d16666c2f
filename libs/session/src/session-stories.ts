import type { Stored } from '#kernel';
import type { EventStore, RecordedEvent, StreamName } from '#event-store';
import { UnpublishableEvent } from '#message-bus';

import { evolve } from './domain/session.evolve.js';
import type { SessionEvent } from './domain/session.events.js';
import type { Session, SessionStatus, Terms } from './domain/session.js';

/** What a session was like right after one of its events. */
export interface StoryAt extends Pick<Terms, 'clientId' | 'signatureType'> {
  readonly status: SessionStatus;
}

/** What a session was like after each of its revisions; undefined from an event of unknown type on. */
type Story = (StoryAt | undefined)[];

interface Told {
  readonly story: Story;
  session: Session;
}

/** Enough for the sessions of half an hour; about 1.5 KB each. */
const STORIES = 20_000;

/**
 * One event alone does not tell whose session it belongs to, nor in which status it leaves it. That is learnt from the
 * events before it: as they come by, or by reading the stream. Both give the same answer, in whatever order they are
 * asked, since a story depends on nothing but the stream's events up to that revision, and those never change.
 */
export class SessionStories {
  readonly #told = new Map<StreamName, Told>();

  constructor(
    private readonly store: EventStore,
    private readonly isKnown: (event: RecordedEvent) => boolean,
    private readonly most = STORIES,
  ) {}

  /**
   * Undefined when the stream has been erased, in whole or in part, and this was not witnessed from its begin.
   * Throws UnpublishableEvent after an event of unknown type: what it changed cannot be told.
   */
  async at(event: RecordedEvent): Promise<StoryAt | undefined> {
    const story = this.#witness(event) ?? (await this.#read(event.stream));
    if (!story || event.revision >= story.length) return undefined;
    const at = story[event.revision];
    if (!at) throw new UnpublishableEvent(event);
    return at;
  }

  /** Goes on from the story as it is known, when the event is in it or comes next. */
  #witness(event: RecordedEvent): Story | undefined {
    const told = this.#told.get(event.stream) ?? begin(event);
    if (!told || event.revision > told.story.length) return undefined;
    this.#tell(told, event);
    return this.#remember(event.stream, told);
  }

  async #read(stream: StreamName): Promise<Story | undefined> {
    const events = await this.store.read(stream);
    const told = events[0] && begin(events[0]);
    if (!told) return undefined;
    for (const event of events) this.#tell(told, event);
    return this.#remember(stream, told);
  }

  #tell(told: Told, event: RecordedEvent): void {
    if (event.revision !== told.story.length) return;
    const lost = told.story.length > 0 && told.story.at(-1) === undefined;
    if (lost || !this.isKnown(event)) {
      told.story.push(undefined);
      return;
    }
    // What is sealed says nothing about the status, and may be long.
    const spare = { ...event, data: { ...event.data, sealed: '' } } as unknown as Stored<SessionEvent>;
    told.session = evolve(told.session, spare);
    told.story.push(viewOf(told.session));
  }

  #remember(stream: StreamName, told: Told): Story {
    this.#told.delete(stream);
    this.#told.set(stream, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > this.most && oldest) this.#told.delete(oldest);
    return told.story;
  }
}

const begin = ({ revision, type }: RecordedEvent): Told | undefined =>
  revision === 0 && type === 'SessionCreated' ? { story: [], session: { status: 'NONE' } } : undefined;

const viewOf = (session: Session): StoryAt | undefined => {
  if (session.status === 'NONE') return undefined;
  const { terms, status } = session;
  return { clientId: terms.clientId, signatureType: terms.signatureType, status };
};
