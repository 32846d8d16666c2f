import { describe, expect, it } from '@jest/globals';
import type { IHeaders } from 'kafkajs';

import type { CloudEvent } from '../cloud-event.js';
import { asMessage, asRecord, UnreadableRecord } from './record.js';

const message: CloudEvent = {
  specversion: '1.0',
  id: 'id',
  source: '/things',
  type: 'thing.made',
  subject: 'ä',
  time: '2026-01-01T00:00:00.000Z',
  esrevision: 3,
  data: { name: 'ü' },
};

/** As a broker returns it: everything in bytes. */
const received = (changes: { key?: string | null; value?: Buffer | string | null; headers?: IHeaders } = {}) => {
  const { key, value, headers } = { ...asRecord(message), ...changes };
  const bytes = Object.entries({ ...asRecord(message).headers, ...headers }).filter(([, text]) => text !== undefined);
  return {
    key: key ? Buffer.from(key) : null,
    value: value === null || value === undefined ? null : Buffer.from(value),
    headers: Object.fromEntries(bytes.map(([name, text]) => [name, Buffer.from(text as string)])),
  };
};

describe('a record', () => {
  it('holds a CloudEvent in binary mode, and is read back equal', () => {
    expect(asRecord(message)).toEqual({
      key: 'ä',
      value: '{"name":"ü"}',
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: 'id',
        ce_source: '/things',
        ce_type: 'thing.made',
        ce_subject: 'ä',
        ce_time: '2026-01-01T00:00:00.000Z',
        ce_esrevision: '3',
      },
    });
    expect(asMessage(received())).toEqual(message);
  });

  it('hands the trace context on, and leaves out one that is none', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(asRecord({ ...message, traceparent }).headers).toMatchObject({ ce_traceparent: traceparent });
    expect(asMessage(received({ headers: { ce_traceparent: traceparent } }))).toEqual({ ...message, traceparent });
    expect(asMessage(received({ headers: { ce_traceparent: 'x' } }))).toEqual(message);
  });

  it.each([
    ['bad JSON', { value: '{' }, 'data is no JSON object'],
    ['a JSON list', { value: '[]' }, 'data is no JSON object'],
    ['JSON null', { value: 'null' }, 'data is no JSON object'],
    ['bytes that are no UTF-8', { value: Buffer.from([0x22, 0xff, 0x22]) }, 'data is no JSON object'],
    ['nothing', { value: null }, 'no data'],
    ['a megabyte', { value: `"${'x'.repeat(1_000_000)}"` }, 'data of more than 65536 bytes'],
    ['another version', { headers: { ce_specversion: '2.0' } }, 'not CloudEvents 1.0'],
    ['another key', { key: 'b' }, 'the key is not the subject'],
    ['no key', { key: null }, 'the key is not the subject'],
    ['a negative revision', { headers: { ce_esrevision: '-1' } }, 'esrevision is no revision'],
    ['an enormous revision', { headers: { ce_esrevision: '9999999999999999' } }, 'esrevision is no revision'],
    ['no type', { headers: { ce_type: undefined } }, 'no attribute type'],
  ])('with %s is refused', (_what, changes, reason) => {
    expect(() => asMessage(received(changes))).toThrow(new UnreadableRecord(reason));
  });
});
