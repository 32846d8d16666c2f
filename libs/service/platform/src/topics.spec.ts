import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { productSources } from '#testkit/inventories/product-sources';
import { declaredTopics } from '#testkit/inventories/topics';

const ROOT = join(import.meta.dirname, '../../../..');

/** Every topic, and whether its records carry a MAC (docs/security/threat-model.md). */
const TOPICS: Readonly<Record<string, 'a MAC' | 'open'>> = {
  'sessions.events.v1': 'a MAC',
  'webhooks.deliveries.v1': 'a MAC',
  'erasures.v1': 'open',
};

/** What each call that writes records hands over. */
const WRITERS: Readonly<Record<string, string>> = {
  'libs/engines/message-bus/src/kafka/channel-producer.ts': 'macs.sign',
  'libs/engines/message-bus/src/kafka/kafka-message-bus.ts': 'macs.redrive(macs.sign(',
  'libs/engines/message-bus/src/kafka/kafka-publisher.ts': 'macs.sign',
  // The second one keeps a record as it came, with the MAC that it has or lacks: a redrive checks that one.
  'libs/engines/message-bus/src/kafka/dead-letters.ts': 'macs.redrive',
  // Hands on what the others give it.
  'libs/engines/message-bus/src/kafka/bounded-producer.ts': '...record',
  // The list of erasures.
  'libs/engines/message-bus/src/kafka/kafka-compacted-topic.ts': 'JSON.stringify(value)',
};

describe('every topic', () => {
  it('is known to this test', () => {
    expect(declaredTopics().toSorted()).toEqual(Object.keys(TOPICS).toSorted());
  });

  it('is written at the places that give its records their MACs, and at no other', () => {
    const writing = productSources().filter(({ text }) => /roducer\.send\(\{/.test(text));
    expect(writing.map(({ path }) => path).toSorted()).toEqual(Object.keys(WRITERS).toSorted());
    for (const { path, text } of writing) expect([path, text.includes(WRITERS[path] ?? '')]).toEqual([path, true]);
  });

  it('is consumed through the check of the MAC, but for the list of erasures', () => {
    const checking = productSources().filter(({ text }) => /\.refusal\(/.test(text) && text.includes('RecordMacs'));
    expect(checking.map(({ path }) => path)).toContain('libs/engines/message-bus/src/kafka/record-handler.ts');
    const reading = productSources().filter(({ text }) => /eachMessage|eachBatch/.test(text));
    expect(reading.map(({ path }) => path).toSorted()).toEqual([
      'libs/engines/message-bus/src/kafka/kafka-consumer.ts',
      'libs/engines/message-bus/src/kafka/read-topic.ts',
    ]);
  });

  it('has access lists of its own', () => {
    const script = readFileSync(join(ROOT, 'deploy/rights/kafka.sh'), 'utf8');
    for (const topic of Object.keys(TOPICS)) expect(script).toMatch(new RegExp(`^\\w+=${topic.replaceAll('.', '\\.')}$`, 'm'));
  });
});
