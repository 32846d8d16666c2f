import { ServiceUnavailable } from '#kernel';
import { type CloudEvent, MessagePublisher, type TopicReach } from '#engines/message-bus';

const PARTITIONS = 3;

/** A topic in memory, for tests. It can be unavailable, lose everything, and hang in the middle of a publication. */
export class TopicInMemory extends MessagePublisher {
  #partitions: CloudEvent[][] | undefined;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly #all: CloudEvent[] = [];
  unavailable = false;
  /** How often it was asked how far it reaches. */
  looks = 0;
  /** Called before and after messages are stored. */
  interrupt: (moment: 'before' | 'after', messages: readonly CloudEvent[]) => Promise<void> = async () => undefined;

  override async prepare(_topic: string, missing: 'create' | 'refuse'): Promise<void> {
    this.#assertAvailable();
    if (!this.#partitions && missing === 'refuse') throw new ServiceUnavailable('there is no such topic');
    this.#partitions ??= Array.from({ length: PARTITIONS }, () => []);
  }

  override async publish(_topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    this.#assertAvailable();
    await this.interrupt('before', messages);
    if (!this.#partitions) throw new ServiceUnavailable('there is no such topic');
    const start: Record<string, string> = {};
    for (const message of messages) {
      const partition = message.subject.charCodeAt(0) % PARTITIONS;
      start[partition] ??= String(this.#partitions[partition]!.length);
      this.#partitions[partition]!.push(message);
      this.#all.push(message);
    }
    await this.interrupt('after', messages);
    for (const { count, resolve } of this.#waiting) if (this.#all.length >= count) resolve();
    return start;
  }

  override async reach(): Promise<TopicReach | undefined> {
    this.#assertAvailable();
    this.looks += 1;
    return this.#partitions && Object.fromEntries(this.#partitions.map((messages, partition) => [partition, String(messages.length)]));
  }

  override async read(_topic: string, from: TopicReach, each: (message: CloudEvent) => Promise<void>): Promise<void> {
    this.#assertAvailable();
    for (const [partition, messages] of [...(this.#partitions ?? [])].entries())
      for (const message of messages.slice(Number(from[partition] ?? 0))) await each(message);
  }

  override async close(): Promise<void> {}

  /** The broker lost its disk and with it the topic. */
  lose(): void {
    this.#partitions = undefined;
    this.#all.length = 0;
  }

  /** The messages on the topic in the order of their arrival: `subject/revision`. */
  get messages(): string[] {
    return this.#all.map(({ subject, esrevision }) => `${subject}/${esrevision}`);
  }

  /** Resolves when the topic holds that many messages. */
  until(count: number): Promise<void> {
    return new Promise((resolve) => (this.#all.length >= count ? resolve() : void this.#waiting.push({ count, resolve })));
  }

  #assertAvailable(): void {
    if (this.unavailable) throw new ServiceUnavailable('the broker is unavailable');
  }
}
