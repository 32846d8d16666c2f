import { ServiceUnavailable } from '#kernel';
import { type CloudEvent, MessagePublisher, type TopicReach } from '#message-bus';

const PARTITIONS = 3;

/** A broker's side of a topic, for tests: it can go away, lose everything, and stop in the middle of a publication. */
export class TopicInMemory extends MessagePublisher {
  #partitions: CloudEvent[][] | undefined;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly #all: CloudEvent[] = [];
  away = false;
  /** Called before and after messages are stored. */
  interrupt: (moment: 'before' | 'after') => Promise<void> = async () => undefined;

  override async prepare(): Promise<void> {
    this.#assertThere();
    this.#partitions ??= Array.from({ length: PARTITIONS }, () => []);
  }

  override async publish(_topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    this.#assertThere();
    await this.interrupt('before');
    if (!this.#partitions) throw new ServiceUnavailable('there is no such topic');
    const start: Record<string, string> = {};
    for (const message of messages) {
      const partition = message.subject.charCodeAt(0) % PARTITIONS;
      start[partition] ??= String(this.#partitions[partition]!.length);
      this.#partitions[partition]!.push(message);
      this.#all.push(message);
    }
    await this.interrupt('after');
    for (const { count, resolve } of this.#waiting) if (this.#all.length >= count) resolve();
    return start;
  }

  override async reach(): Promise<TopicReach> {
    this.#assertThere();
    if (!this.#partitions) throw new ServiceUnavailable('there is no such topic');
    return Object.fromEntries(this.#partitions.map((messages, partition) => [partition, String(messages.length)]));
  }

  override async close(): Promise<void> {}

  /** As after a wiped disk: nobody has heard of the topic. */
  lose(): void {
    this.#partitions = undefined;
    this.#all.length = 0;
  }

  /** What is on the topic, in the order of its arrival: `subject/revision`. */
  get messages(): string[] {
    return this.#all.map(({ subject, esrevision }) => `${subject}/${esrevision}`);
  }

  /** Resolves when so many messages are there. */
  until(count: number): Promise<void> {
    return new Promise((resolve) => (this.#all.length >= count ? resolve() : void this.#waiting.push({ count, resolve })));
  }

  #assertThere(): void {
    if (this.away) throw new ServiceUnavailable('the broker is away');
  }
}
