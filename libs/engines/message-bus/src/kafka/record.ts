import type { KafkaMessage, Message } from 'kafkajs';

import { type JsonObject, traceparentOf } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';

/** Bytes of the value. Messages of this service are far smaller. */
const MAX_BYTES = 65_536;

/** CloudEvents 1.0.2, Kafka protocol binding §3.2: binary content mode, with the subject as key. */
export const asRecord = ({ data, ...attributes }: CloudEvent): Message => ({
  key: attributes.subject,
  value: JSON.stringify(data),
  headers: {
    'content-type': 'application/json',
    ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce_${name}`, String(value)])),
  },
});

/** Names the consumer group that a dead letter is handed to again, or `*` for all. The other groups skip the record. */
export const REDRIVE = 'redrive-group';

/** The group that the record is handed to again, or `*`. Undefined for a record that comes for the first time. */
export const redriveGroupOf = ({ headers }: Pick<KafkaMessage, 'headers'>): string | undefined => headers?.[REDRIVE]?.toString();

/** Throws {@link UnreadableRecord}. */
export const asMessage = (record: Pick<KafkaMessage, 'key' | 'value' | 'headers'>): CloudEvent => {
  const attribute = (name: string): string => {
    const value = record.headers?.[`ce_${name}`];
    if (!Buffer.isBuffer(value) && typeof value !== 'string') throw new UnreadableRecord(`no attribute ${name}`);
    return value.toString();
  };
  if (attribute('specversion') !== '1.0') throw new UnreadableRecord('not CloudEvents 1.0');
  const subject = attribute('subject');
  if (record.key?.toString() !== subject) throw new UnreadableRecord('the key is not the subject');
  const revision = attribute('esrevision');
  if (!/^(0|[1-9]\d{0,14})$/.test(revision)) throw new UnreadableRecord('esrevision is no revision');
  return {
    specversion: '1.0',
    id: attribute('id'),
    source: attribute('source'),
    type: attribute('type'),
    subject,
    time: attribute('time'),
    esrevision: Number(revision),
    ...traceOf(record),
    data: dataOf(record.value),
  };
};

/** A malformed one is left out: nothing depends on it. */
const traceOf = ({ headers }: Pick<KafkaMessage, 'headers'>): Pick<CloudEvent, 'traceparent'> => {
  const traceparent = traceparentOf(headers?.['ce_traceparent']?.toString());
  return traceparent === undefined ? {} : { traceparent };
};

const dataOf = (value: Buffer | null): JsonObject => {
  if (value === null) throw new UnreadableRecord('no data');
  if (value.length > MAX_BYTES) throw new UnreadableRecord(`data of more than ${MAX_BYTES} bytes`);
  try {
    const data: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value));
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as JsonObject;
  } catch {
    // Refused below, without quoting the value.
  }
  throw new UnreadableRecord('data is no JSON object');
};

/** The record is not a CloudEvent of this service. The error message quotes nothing of it. */
export class UnreadableRecord extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableRecord';
  }
}
