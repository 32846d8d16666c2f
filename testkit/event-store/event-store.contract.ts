import { appendingContract } from './contract/appending.js';
import { appendingTogetherContract } from './contract/appending-together.js';
import { closingContract } from './contract/closing.js';
import { envelopingContract } from './contract/enveloping.js';
import { erasingContract } from './contract/erasing.js';
import { type ContractSubject, contractFixture } from './contract/fixture.js';
import { keptPositionsContract } from './contract/kept-positions.js';
import { readingContract } from './contract/reading.js';
import { repeatingContract } from './contract/repeating.js';
import { retentionContract } from './contract/retention.js';
import { subscribingContract } from './contract/subscribing.js';

export type { ContractSubject };

/**
 * Every promise of the {@link EventStore} port, for every adapter: it holds what a real EventStoreDB does. Nothing
 * in it assumes an empty store, a fast one, or a clock that the test can move.
 */
export const eventStoreContract = (subject: ContractSubject): void => {
  const fixture = contractFixture(subject);
  describe('appending', () => appendingContract(fixture));
  describe('the envelope of an event', () => envelopingContract(fixture));
  describe('repeating an append', () => repeatingContract(fixture));
  describe('appending to several streams', () => appendingTogetherContract(fixture));
  describe('reading', () => readingContract(fixture));
  describe('retention', () => retentionContract(fixture));
  describe('erasing', () => erasingContract(fixture));
  describe('subscribing', () => subscribingContract(fixture));
  describe('subscribing after a kept position', () => keptPositionsContract(fixture));
  describe('closing', () => closingContract(fixture));
};
