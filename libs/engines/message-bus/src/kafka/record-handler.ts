import type { KafkaMessage } from 'kafkajs';

import type { Log, Metrics } from '#telemetry';

import type { Channel } from '../channel.js';
import type { Arrival } from '../arrival.js';
import { Handover } from '../handover.js';
import type { ConsumeOptions } from '../message-bus.js';
import type { Publication } from '../publication.js';
import type { KafkaDeadLetters } from './dead-letters.js';
import { asMessage, asRecord, redriveGroupOf, UnreadableRecord } from './record.js';
import type { RecordMacs } from './record-macs.js';

export interface RecordHandlerParts {
  readonly publication: Publication | Channel;
  readonly deadLetters: KafkaDeadLetters;
  readonly macs: RecordMacs;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Hands records of a topic to the handler of one group. */
export class RecordHandler {
  #delivery: Handover;

  constructor(
    private readonly parts: RecordHandlerParts,
    private readonly options: ConsumeOptions,
  ) {
    this.#delivery = this.#newDelivery();
  }

  /** Another member may process messages of the same subjects from now on: their revisions would look like gaps, so those seen so far are forgotten. */
  forget(): void {
    this.#delivery = this.#newDelivery();
  }

  /** Resolves when the record has been processed, be it as a dead letter. Rejects only when its signal is aborted. */
  async handle(record: KafkaMessage, partition: number, { signal, heartbeat }: Pick<Arrival, 'signal' | 'heartbeat'>): Promise<void> {
    const { macs, deadLetters } = this.parts;
    const origin = `partition ${partition}, offset ${record.offset}`;
    const arrival: Arrival = {
      signal,
      heartbeat,
      // The message may differ from the record: it may have filled a gap before it.
      park: (reason, message) => deadLetters.keep(message ? macs.sign(asRecord(message)) : record, reason, origin),
    };
    try {
      const redriven = redriveGroupOf(record);
      if (redriven !== undefined && redriven !== '*' && redriven !== this.options.group) return;
      const message = asMessage(record);
      const refusal = macs.refusal(record);
      if (refusal !== undefined) return await this.#delivery.park(refusal, undefined, arrival);
      if (redriven === undefined) await this.#delivery.deliver(message, arrival);
      else await this.#delivery.deliverAgain(message, arrival);
    } catch (error) {
      if (!(error instanceof UnreadableRecord)) throw error;
      await this.#delivery.park(error.message, undefined, arrival);
    }
  }

  #newDelivery(): Handover {
    return new Handover({ ...this.parts, ...this.options });
  }
}
