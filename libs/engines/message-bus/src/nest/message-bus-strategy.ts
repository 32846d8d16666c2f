import { BaseRpcContext, type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';

import type { CloudEvent } from '../cloud-event.js';
import type { ConsumeOptions, Consumption, HandoverContext, MessageBus } from '../message-bus.js';

/** `@Ctx()` of a handler. */
export class MessageContext extends BaseRpcContext<[CloudEvent, HandoverContext]> {
  /** `attempt` counts from 1. Long work calls `heartbeat` and stops with `signal`. */
  get delivery(): HandoverContext {
    return this.args[1];
  }
}

export interface StrategyOptions extends Pick<
  ConsumeOptions,
  'topic' | 'group' | 'signal' | 'assigned' | 'linger' | 'retryWaits' | 'unavailableWait'
> {
  readonly bus: MessageBus;
}

/**
 * Nest controllers as consumers of any bus: `@EventPattern<string>('session.confirmed')` is called with the message. The message has been
 * processed when the handler's promise resolves, or its observable completes. Refuses to start with an unknown type, two handlers for one
 * type, or a request handler: these would lose messages, or repeat them for other handlers.
 */
export class MessageBusStrategy extends Server<never, never> implements CustomTransportStrategy {
  override readonly transportId = Symbol('message-bus');
  /** Without it, Nest would log a failure and treat the message as processed. */
  override readonly propagatesEventHandlerErrors = true;
  #consumption: Consumption | undefined;

  constructor(private readonly options: StrategyOptions) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      const { bus, ...options } = this.options;
      this.#consumption = bus.consume({ ...options, types: this.#types(), handler: (message, delivery) => this.#handle(message, delivery) });
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Resolves when no handler runs any more. The signal of the options has to be aborted first. */
  async close(): Promise<void> {
    await this.#consumption?.done;
  }

  /** For the readiness probe. */
  async check(): Promise<void> {
    if (!this.#consumption) throw new Error('the consumer was not started');
    await this.#consumption.check();
  }

  override on(): never {
    throw new TypeError('the message bus has no events of its own');
  }

  override unwrap(): never {
    throw new TypeError('the message bus is injected, not unwrapped');
  }

  #types(): string[] {
    return [...this.messageHandlers].map(([type, handler]) => {
      if (!handler.isEventHandler) throw new TypeError(`${type} is an event: @EventPattern, not @MessagePattern`);
      if (handler.next) throw new TypeError(`${type} has two handlers: one that fails would repeat the other`);
      return type;
    });
  }

  async #handle(message: CloudEvent, delivery: HandoverContext): Promise<void> {
    const handler = this.messageHandlers.get(message.type);
    if (!handler) throw new TypeError(`no handler for ${message.type}`);
    const result: unknown = await handler(message, new MessageContext([message, delivery]));
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }
}
