import { describe } from '@jest/globals';

import { deliveringContract } from './contract/delivering.js';
import { failingContract } from './contract/failing.js';
import { type ContractSubject, contractFixture } from './contract/fixture.js';
import { redrivingContract } from './contract/redriving.js';
import { resumingContract } from './contract/resuming.js';
import { sendingContract } from './contract/sending.js';

/** Every promise of the MessageBus port, for every adapter. */
export const messageBusContract = (subject: ContractSubject): void => {
  const fixture = contractFixture(subject);
  describe('delivering', () => deliveringContract(fixture));
  describe('resuming', () => resumingContract(fixture));
  describe('sending to a channel', () => sendingContract(fixture));
  describe('failing', () => failingContract(fixture));
  describe('dead letters that are handed over again', () => redrivingContract(fixture));
};
