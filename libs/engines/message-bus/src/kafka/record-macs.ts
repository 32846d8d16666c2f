import type { IHeaders, Message } from 'kafkajs';

import { type KeyRing, macRefusal, type MacRefusal, ringMac } from '#kernel';

import { REDRIVE } from './record.js';

const HEADER = 'mac';

type Record = Pick<Message, 'key' | 'value' | 'headers'>;

/**
 * Message authentication codes of records: the header `mac`, base64url(length ‖ keyId ‖ HMAC-SHA-256) over environment, key, CloudEvents attributes, the
 * group of a redrive and value, under the keys of the events (docs/adr/0021-event-macs.md). The headers of a dead letter are not covered.
 */
export class RecordMacs {
  constructor(
    private readonly ring: KeyRing,
    /** Records of another environment are forged ones. */
    private readonly environment: string,
  ) {}

  /** The record with its MAC. */
  sign(record: Record): Message {
    const mac = ringMac(this.ring, ...this.#parts(record));
    return { key: record.key ?? null, value: record.value, headers: { ...record.headers, [HEADER]: mac } };
  }

  /**
   * The record once more, for one group or for `*`. A record whose own MAC is wrong keeps that MAC, so that consumers refuse it again: a redrive
   * never makes a forged record genuine.
   */
  redrive(record: Record, group: string): Message {
    const redriven = { ...record, headers: { ...record.headers, [REDRIVE]: group } };
    return this.refusal(record) === undefined ? this.sign(redriven) : { key: null, ...redriven };
  }

  /** Why a received record is refused; undefined when a relay of this service has published it. */
  refusal(record: Record): string | undefined {
    const header = record.headers?.[HEADER];
    const refusal = macRefusal(this.ring, header === undefined ? undefined : String(header), ...this.#parts(record));
    return refusal && REFUSALS[refusal];
  }

  #parts({ key: subject, value, headers }: Record) {
    return ['record', this.environment, subject ?? '', value ?? '', ...attributes(headers ?? {})];
  }
}

const REFUSALS: Readonly<{ [refusal in MacRefusal]: string }> = {
  unsigned: 'the record has no MAC',
  key: 'no key in event.json has made the MAC of the record',
  forged: 'the MAC of the record is wrong',
};

/** Names and values of the covered headers, by name. */
const attributes = (headers: IHeaders): string[] =>
  Object.entries(headers)
    .filter(([name]) => name === 'content-type' || name === REDRIVE || name.startsWith('ce_'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => [name, String(value)]);
