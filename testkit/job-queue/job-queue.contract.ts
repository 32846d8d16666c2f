import { describe } from '@jest/globals';

import { cancellingContract } from './contract/cancelling.js';
import { failingContract } from './contract/failing.js';
import { type ContractSubject, contractFixture } from './contract/fixture.js';
import { forgettingContract } from './contract/forgetting.js';
import { runningContract } from './contract/running.js';
import { schedulingContract } from './contract/scheduling.js';
import { stoppingContract } from './contract/stopping.js';

/** Every promise of the JobQueue port, for every adapter. */
export const jobQueueContract = (subject: ContractSubject): void => {
  const fixture = contractFixture(subject);
  describe('scheduling', () => schedulingContract(fixture));
  describe('running', () => runningContract(fixture));
  describe('failing', () => failingContract(fixture));
  describe('cancelling', () => cancellingContract(fixture));
  describe('forgetting', () => forgettingContract(fixture));
  describe('stopping', () => stoppingContract(fixture));
};
