import { beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { RefusalReport } from './refusal-report.js';

const NO_RIGHTS = new Error("NOPERM this user has no permissions to run the 'evalsha' command");
const WRONG_PASSWORD = new Error('WRONGPASS invalid username-password pair');

describe('the report of refusals', () => {
  let clock: FixedClock;
  let lines: string[];
  let report: RefusalReport;

  beforeEach(() => {
    clock = new FixedClock();
    lines = [];
    report = new RefusalReport('REDIS', (reason) => lines.push(reason), clock);
  });

  it('tells each reason once, however long it lasts', () => {
    for (let call = 0; call < 5; call++) {
      report.failed(NO_RIGHTS);
      report.failed(WRONG_PASSWORD);
      clock.advance(60_000);
    }
    expect(lines).toEqual([
      'the user does not have the rights that this service needs',
      'the engine refuses the user or the password: check the user in REDIS_URL and REDIS_PASSWORD_FILE',
    ]);
  });

  it('tells a reason again that has come back, at most once a minute', () => {
    for (let call = 0; call < 120; call++) {
      report.failed(NO_RIGHTS);
      report.succeeded();
      clock.advance(1_000);
    }
    expect(lines).toHaveLength(2);
  });

  it('answers the reason of every failure, and tells nothing of a lost connection', () => {
    expect(report.failed(NO_RIGHTS)).toContain('rights');
    expect(report.failed(NO_RIGHTS)).toContain('rights');
    expect(report.failed(new Error('Connection is closed.'))).toBeUndefined();
    expect(lines).toHaveLength(1);
  });
});
