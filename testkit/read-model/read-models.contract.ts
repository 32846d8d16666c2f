import { describe } from '@jest/globals';

import { databaseContract, type ReadModelsSubject } from './contract/database.js';
import { olderCopyContract } from './contract/older-copy.js';
import { ProjectionFixture } from './contract/projection-fixture.js';
import { projectionProgressContract } from './contract/projection-progress.js';
import { projectionRebuildContract } from './contract/projection-rebuild.js';
import { restoredUnderBusContract } from './contract/restored-under-bus.js';

/** Every promise of the port and of the projections over it. */
export const readModelsContract = (subject: ReadModelsSubject): void => {
  const fixture = new ProjectionFixture(subject);

  describe('the database', () => databaseContract(subject));

  describe('a projection that is fed by the bus, over a store that is restored', () => restoredUnderBusContract(subject));

  describe('a projection', () => {
    projectionProgressContract(fixture);
    projectionRebuildContract(fixture);
    olderCopyContract(fixture);
  });
};
