import { inTrace, ServiceUnavailable } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { ConsumeOptions, Consumption, HandoverContext } from '../message-bus.js';

/**
 * The channels inside one process: the sender calls the consumer, and nothing is stored between them. A sender that crashes during the call has
 * to send again, as it does after a lost answer of Kafka.
 */
export class EmbeddedChannels {
  readonly #consumers = new Map<string, Set<ConsumeOptions>>();
  readonly #underWay = new Set<Promise<void>>();

  consume(options: ConsumeOptions): Consumption {
    const { topic, group, signal } = options;
    const consumers = this.#consumers.get(topic) ?? new Set();
    this.#consumers.set(topic, consumers.add(options));
    const ended = Promise.withResolvers<void>();
    const end = (): void => {
      consumers.delete(options);
      ended.resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return {
      done: ended.promise.then(() => this.idle()),
      check: async () => {
        if (signal.aborted) throw new ServiceUnavailable(`the consumer ${group} has stopped`);
      },
    };
  }

  /** Resolves when every group has handled the messages. Rejects with the error of a handler. */
  async send(topic: string, messages: readonly CloudEvent[]): Promise<void> {
    const consumers = new Map([...(this.#consumers.get(topic) ?? [])].map((options) => [options.group, options]));
    if (consumers.size === 0) throw new ServiceUnavailable(`no consumer of ${topic} runs in this process`);
    const handled = Promise.all([...consumers.values()].flatMap((options) => messages.map((message) => handle(options, message))));
    const settled = handled.then(nothing, nothing);
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    await handled;
  }

  /** Resolves when all running handlers have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

const handle = async ({ types, handler, signal }: ConsumeOptions, message: CloudEvent): Promise<void> => {
  const context: HandoverContext = { attempt: 1, signal, heartbeat: async () => undefined };
  if (types.includes(message.type)) await inTrace(message.traceparent, () => handler(message, context));
};

const nothing = (): void => undefined;
