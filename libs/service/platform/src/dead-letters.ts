import { isGuarded, KeyDirectory, keySealOf, type PlatformSettings } from '#service/config';
import type { EventStore } from '#engines/event-store';
import { type Clock, SystemClock, SystemRandomness } from '#kernel';
import { type DeadLetter, DeadLetterStream, KafkaMessageBus, type MessageBus, RecordMacs, type Redriven } from '#engines/message-bus';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, SessionPublication } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';
import { DELIVERIES_GROUP, DELIVERIES_TOPIC } from '#domain/webhook';

import { openEventStore } from './open-event-store.js';
import { openMessageBus } from './open-message-bus.js';

/** The relay parks stored events that it cannot publish; with Kafka only. */
const RELAY = 'event-relay';

const TOPIC = SESSION_EVENTS_TOPIC;

const topicOf = (group: string): string => (group === DELIVERIES_GROUP ? DELIVERIES_TOPIC : TOPIC);

/** The dead letters of all consumer groups and of the relay, for an operator. */
export class DeadLetters {
  constructor(
    private readonly eventStore: EventStore,
    private readonly messageBus: MessageBus,
    private readonly clock: Clock,
    private readonly publication: SessionPublication,
  ) {}

  get groups(): readonly string[] {
    const groups = Object.values(CONSUMER_GROUPS);
    // Inside one process the sender of a delivery request gets its failure, so its group has no dead letters.
    return this.messageBus instanceof KafkaMessageBus ? [...groups, DELIVERIES_GROUP, RELAY] : groups;
  }

  /** Oldest first. */
  list(group: string): Promise<readonly DeadLetter[]> {
    return group === RELAY ? this.#relayed().all() : this.messageBus.deadLetters(topicOf(group), group);
  }

  /** Hands the letters of the group over again, each once; those of the relay are published to all groups. May hand over twice after a crash. */
  redrive(group: string): Promise<Redriven> {
    return this.messageBus instanceof KafkaMessageBus && group === RELAY
      ? this.#publish(this.messageBus)
      : this.messageBus.redrive(topicOf(group), group);
  }

  async close(): Promise<void> {
    await this.messageBus.close();
    await this.eventStore.close();
  }

  async #publish(bus: KafkaMessageBus): Promise<Redriven> {
    const unknown: DeadLetter[] = [];
    const letters = await this.#relayed().redrive(async (waiting) => {
      unknown.length = 0;
      for (const letter of waiting) {
        const { subject = '', esrevision = 0 } = letter.source ?? {};
        const messages = letter.source ? await this.publication.messagesOf(subject, esrevision, esrevision) : [];
        if (messages.length === 0) unknown.push(letter);
        else await bus.publishLate(TOPIC, messages);
      }
    });
    for (const letter of unknown) await this.#relayed().keep(letter);
    return { redriven: letters.length - unknown.length, unreadable: unknown.length };
  }

  #relayed(): DeadLetterStream {
    return new DeadLetterStream(this.eventStore, this.clock, { topic: TOPIC, group: RELAY });
  }
}

/** Opens the engines that the settings name. A SQLite file must be held by no other process: throws EventStoreUnavailable. */
export const openDeadLetters = async (settings: PlatformSettings): Promise<DeadLetters> => {
  const clock = new SystemClock();
  const dependencies = { clock, randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
  const guarded = isGuarded(settings.environment);
  using keys = await KeyDirectory.open({ path: settings.keyDirectory, guarded, seal: keySealOf(settings, dependencies.randomness), ...dependencies });
  const eventStore = await openEventStore(settings, { ...dependencies, eventKeys: keys.event });
  const publication = new SessionPublication(eventStore);
  const macs = new RecordMacs(keys.event, settings.environment);
  return new DeadLetters(eventStore, openMessageBus(settings, { ...dependencies, eventStore, publication, macs }), clock, publication);
};
