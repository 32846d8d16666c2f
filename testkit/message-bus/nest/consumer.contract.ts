import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, type Type, ValidationPipe } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { IsIn } from 'class-validator';
import { Observable } from 'rxjs';

import { type EventStore, SqliteEventStore } from '#engines/event-store';
import { InvalidRequest, ServiceUnavailable, SystemRandomness } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from '#engines/message-bus';
import type { ContractSubject } from '../contract/fixture.js';
import type { MessageBus } from '#engines/message-bus';
import { appendThing, ThingPublication } from '../thing-publication.js';
import type { MessageContext } from '#engines/message-bus';
import { type RunningConsumer, startConsumer } from '#engines/message-bus';

/** The calls of the controllers. */
class Journal {
  readonly #waiting: { readonly line: string; readonly resolve: () => void }[] = [];
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
    for (const { line: wanted, resolve } of this.#waiting) if (wanted === line) resolve();
  }

  until(line: string): Promise<void> {
    return new Promise((resolve) => (this.lines.includes(line) ? resolve() : void this.#waiting.push({ line, resolve })));
  }
}

class WholeThing {
  @IsIn(['unbroken'])
  readonly subject!: string;
}

@Controller()
class Things {
  constructor(private readonly journal: Journal) {}

  @EventPattern<string>('thing.made')
  async made(@Payload() event: CloudEvent, @Ctx() context: MessageContext): Promise<void> {
    await context.delivery.heartbeat();
    this.journal.write(`made ${event.subject} ${context.delivery.attempt}`);
    if (event.subject === 'refused') throw new InvalidRequest('shown', 'not this one');
    if (event.subject === 'broken') throw new TypeError('undefined is not a function');
    if (event.subject === 'early' && context.delivery.attempt < 3) throw new ServiceUnavailable('no answer from the store');
  }

  @EventPattern<string>('thing.moved')
  moved(@Payload() event: CloudEvent): Observable<string> {
    return new Observable((observer) => {
      setImmediate(() => {
        this.journal.write(`moved ${event.subject} ${event.esrevision}`);
        observer.next('ignored');
        observer.complete();
      });
    });
  }

  @EventPattern<string>('thing.broken')
  broken(@Payload(new ValidationPipe()) event: WholeThing): void {
    this.journal.write(`broken ${event.subject}`);
  }
}

@Controller()
class MoreThings {
  @EventPattern<string>('thing.made')
  made(): void {}
}

@Controller()
class Questions {
  @MessagePattern<string>('thing.made')
  made(): void {}
}

@Controller()
class Misspelt {
  @EventPattern<string>('thing.mdae')
  made(): void {}
}

const moduleOf = (journal: Journal, ...controllers: Type[]): Type => {
  @Module({ controllers, providers: [{ provide: Journal, useValue: journal }] })
  class Consumers {}
  return Consumers;
};

/** Controllers work the same on every bus, and a failed handler never counts as successful. */
export const consumerContract = (subject: ContractSubject): void => {
  const clock = new FixedClock();
  const randomness = new SystemRandomness();
  let store: EventStore;
  let bus: MessageBus;
  let topic: string;
  let journal: Journal;
  let stop: AbortController;
  let running: RunningConsumer | undefined;

  beforeEach(async () => {
    store = new SqliteEventStore({ path: ':memory:', clock });
    topic = `nest.${randomness.bytes(6).toString('hex')}`;
    bus = await subject.open({
      eventStore: store,
      publications: [new ThingPublication(store, topic)],
      clock,
      randomness,
      log: new SilentLog(),
      metrics: new Metrics(),
    });
    stop = new AbortController();
    journal = new Journal();
  });
  afterEach(async () => {
    stop.abort();
    await running?.close();
    running = undefined;
    await bus.close();
    await store.close();
  });

  const start = async (...controllers: Type[]): Promise<RunningConsumer> => {
    running = await startConsumer(moduleOf(journal, ...controllers), {
      bus,
      topic,
      group: 'group',
      signal: stop.signal,
      retryWaits: [1, 1],
      unavailableWait: 1,
    });
    return running;
  };

  const things = async (...what: readonly (readonly [thing: string, ...types: string[]])[]) => {
    const publication = new ThingPublication(store, topic);
    const events = [];
    for (const [thing, ...types] of what) events.push(...(await appendThing(store, topic, thing, ...types)));
    await subject.publish(topic, await Promise.all(events.map((event) => publication.message(event))));
  };

  describe('a controller', () => {
    it('is called with the message; the next message of the subject waits for its promise or observable', async () => {
      await things(['a', 'Made', 'Moved', 'Moved', 'Made']);
      await start(Things);
      await things(['a', 'Moved']);
      await journal.until('moved a 4');
      expect(journal.lines).toEqual(['made a 1', 'moved a 1', 'moved a 2', 'made a 1', 'moved a 4']);
    });

    it('that throws a refusal, an error or a validation error is called again, then the message becomes a dead letter with the reason', async () => {
      await things(['refused', 'Made', 'Moved'], ['broken', 'Made', 'Moved'], ['misunderstood', 'Broken', 'Moved']);
      await start(Things);
      await Promise.all(['refused', 'broken', 'misunderstood'].map((thing) => journal.until(`moved ${thing} 1`)));
      expect(journal.lines.filter((line) => line.startsWith('made broken'))).toEqual(['made broken 1', 'made broken 2', 'made broken 3']);
      const reasons = (await bus.deadLetters(topic, 'group')).map(({ reason }) => reason);
      expect(reasons.sort()).toEqual(['BadRequestException', 'InvalidRequest: not this one', 'TypeError']);
    });

    it('that throws ServiceUnavailable is called until it succeeds', async () => {
      await things(['early', 'Made', 'Moved']);
      await start(Things);
      await journal.until('moved early 1');
      expect(journal.lines).toEqual(['made early 1', 'made early 2', 'made early 3', 'moved early 1']);
      expect(await bus.deadLetters(topic, 'group')).toEqual([]);
    });

    it('is ready while it runs', async () => {
      const { check } = await start(Things);
      await things(['a', 'Made']);
      await journal.until('made a 1');
      await expect(check()).resolves.toBeUndefined();
    });
  });

  it('does not start with two handlers for one type, a request handler, or a type that is not published', async () => {
    await expect(start(Things, MoreThings)).rejects.toThrow('thing.made has two handlers');
    await expect(start(Questions)).rejects.toThrow('@EventPattern');
    await expect(start(Misspelt)).rejects.toThrow('thing.mdae');
  });
};
