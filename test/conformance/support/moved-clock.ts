import { afterAll, beforeAll, beforeEach, it } from '@jest/globals';

import { canPass, type Phone, RelyingParty, Staff, startsProcesses, type TimeMachine, timeMachine } from '../../support/index.js';

export let time: TimeMachine;
export let staff: Staff;
export let shop: RelyingParty;
export let phone: Phone;

/** The tests of the file share a service whose clock moves, and a client; each test gets a phone. */
export const useMovedClock = (file: string): void => {
  beforeAll(async () => {
    time = await timeMachine(file);
    staff = new Staff(time.service);
    shop = await RelyingParty.register(time.service);
  });

  afterAll(() => time.end());

  beforeEach(async () => {
    phone = await staff.newPhone();
  });
};

/**
 * Seconds before a deadline at which a test checks that the data still exists: the clock goes on while a busy machine works. A target without a movable
 * clock has short lifetimes.
 */
export const MARGIN = startsProcesses ? 20 : 3;

/** A test that moves the clock; skipped when the clock of the target cannot be moved. */
export const after = (seconds: number, title: string, test: () => Promise<void>): void => (canPass(seconds) ? it : it.skip)(title, test);
