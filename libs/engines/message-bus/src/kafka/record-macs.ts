import type { IHeaders, Message } from 'kafkajs';

import { constantTimeEqual, fromBase64url, hmac, type KeyRing } from '#kernel';

import { REDRIVE } from './record.js';

const HEADER = 'mac';
const MAC_LENGTH = 32;

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
    const { id, key } = this.ring.current();
    const name = Buffer.from(id);
    const mac = Buffer.concat([Buffer.of(name.length), name, this.#hmac(key.reveal(), record)]).toString('base64url');
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
    if (header === undefined) return 'the record has no MAC';
    const bytes = fromBase64url(String(header));
    const nameLength = bytes?.[0];
    if (!bytes || nameLength === undefined || bytes.length !== 1 + nameLength + MAC_LENGTH) return FORGED;
    const key = this.ring.find(bytes.toString('utf8', 1, 1 + nameLength));
    if (!key) return 'no key in event.json has made the MAC of the record';
    return constantTimeEqual(bytes.subarray(1 + nameLength), this.#hmac(key.key.reveal(), record)) ? undefined : FORGED;
  }

  #hmac(key: Buffer, { key: subject, value, headers }: Record): Buffer {
    return hmac(key, 'record', this.environment, subject ?? '', value ?? '', ...attributes(headers ?? {}));
  }
}

const FORGED = 'the MAC of the record is wrong';

/** Names and values of the covered headers, by name. */
const attributes = (headers: IHeaders): string[] =>
  Object.entries(headers)
    .filter(([name]) => name === 'content-type' || name === REDRIVE || name.startsWith('ce_'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => [name, String(value)]);
