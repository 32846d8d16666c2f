import type { KafkaMessage } from 'kafkajs';

import { Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import type { CloudEvent } from '../cloud-event.js';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { asRecord } from './record.js';
import { RecordMacs } from './record-macs.js';

const message: CloudEvent = {
  specversion: '1.0',
  id: 'id',
  source: '/sessions',
  type: 'session.completed',
  subject: 'one',
  time: '2026-01-01T00:00:00.000Z',
  esrevision: 3,
  data: { status: 'COMPLETED' },
};
const key = (id: string) => ({ id, key: new Secret(Buffer.alloc(32, id)) });
type Received = Pick<KafkaMessage, 'key' | 'value' | 'headers'>;

/** As a broker returns it: everything in bytes. */
const received = (record = RECORD_MACS.sign(asRecord(message))): Required<Received> => ({
  key: Buffer.from(record.key as string),
  value: Buffer.from(record.value as string),
  headers: Object.fromEntries(Object.entries(record.headers ?? {}).map(([name, text]) => [name, Buffer.from(text as string)])),
});
const withHeader = (name: string, text: string): Received => ({ ...received(), headers: { ...received().headers, [name]: Buffer.from(text) } });

describe('the MAC of a record', () => {
  it('is right as the broker returns it, also in a dead letter and after a redrive', () => {
    expect(RECORD_MACS.refusal(received())).toBeUndefined();
    expect(RECORD_MACS.refusal(withHeader('dead-letter-reason', 'broken'))).toBeUndefined();
    expect(RECORD_MACS.refusal(received(RECORD_MACS.redrive(received(), 'webhooks')))).toBeUndefined();
  });

  it('stays wrong when the record is redriven', () => {
    const forged = { ...received(), value: Buffer.from('{"status":"EXPIRED"}') };
    expect(RECORD_MACS.refusal(received(RECORD_MACS.redrive(forged, 'webhooks')))).toBe('the MAC of the record is wrong');
  });

  it.each<readonly [string, () => Received, string]>([
    ['without one', () => received(asRecord(message)), 'the record has no MAC'],
    ['with one that is none', () => withHeader('mac', 'bm9uZQ'), 'the MAC of the record is wrong'],
    ['with another value', () => ({ ...received(), value: Buffer.from('{"status":"EXPIRED"}') }), 'the MAC of the record is wrong'],
    ['with another key', () => ({ ...received(), key: Buffer.from('two') }), 'the MAC of the record is wrong'],
    ['with another type', () => withHeader('ce_type', 'session.expired'), 'the MAC of the record is wrong'],
    ['with another revision', () => withHeader('ce_esrevision', '4'), 'the MAC of the record is wrong'],
    ['that is repeated as a redrive', () => withHeader('redrive-group', '*'), 'the MAC of the record is wrong'],
    [
      'that is redriven to another group',
      () => ({
        ...received(),
        headers: { ...received(RECORD_MACS.redrive(received(), 'webhooks')).headers, 'redrive-group': Buffer.from('signing') },
      }),
      'the MAC of the record is wrong',
    ],
    ['with one more attribute', () => withHeader('ce_more', 'x'), 'the MAC of the record is wrong'],
    [
      'of another environment',
      () => received(new RecordMacs(new StaticKeyRing([key('event')]), 'staging').sign(asRecord(message))),
      'the MAC of the record is wrong',
    ],
    [
      'under a key that the ring does not have',
      () => received(new RecordMacs(new StaticKeyRing([key('stolen')]), 'test').sign(asRecord(message))),
      'no key in event.json has made the MAC of the record',
    ],
  ])('refuses a record %s', (_, forged, reason) => {
    expect(RECORD_MACS.refusal(forged())).toBe(reason);
  });

  it('is checked under every key of the ring', () => {
    const older = new RecordMacs(new StaticKeyRing([key('older')]), 'test').sign(asRecord(message));
    const ring = new StaticKeyRing([key('newer'), key('older')]);
    expect(new RecordMacs(ring, 'test').refusal(received(older))).toBeUndefined();
  });
});
