import { describe, expect, it } from '@jest/globals';

import { type Recorded, violations } from './checker.js';
import { type Entry, Journal } from './journal.js';

const check = (entries: readonly Omit<Entry, 'sessionId'>[], types: readonly string[], status: string, sequence = (i: number) => i): string[] => {
  const journal = new Journal();
  for (const entry of entries) journal.record({ ...entry, sessionId: 's' });
  const recorded: Recorded = { sessionId: 's', status, events: types.map((type, i) => ({ type, sequence: sequence(i) })) };
  return violations(journal, new Map([['s', recorded]])).map((line) => line.slice(0, 2));
};

const WHOLE = ['SessionCreated', 'HandoffClaimed', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'];
const ok = (command: Entry['command']): Omit<Entry, 'sessionId'> => ({ command, outcome: 'ok' });

describe('the checker', () => {
  it('has nothing against a whole login', () => {
    expect(check([ok('create'), ok('claim'), ok('scan'), ok('confirm'), ok('complete'), ok('exchange')], WHOLE, 'COMPLETED')).toEqual([]);
  });

  it('has nothing against a command of unknown outcome, done or not', () => {
    const entries: Omit<Entry, 'sessionId'>[] = [ok('create'), { command: 'scan', outcome: 'unknown' }];
    expect(check(entries, ['SessionCreated'], 'PENDING')).toEqual([]);
    expect(check(entries, ['SessionCreated', 'SessionScanned'], 'SCANNED')).toEqual([]);
  });

  it.each<[string, string, Omit<Entry, 'sessionId'>[], string[], string]>([
    ['I1', 'an acknowledged event is lost', [ok('create'), ok('scan')], ['SessionCreated'], 'PENDING'],
    ['I1', 'a session is lost', [ok('create')], [], ''],
    ['I1', 'the status forgets', [], ['SessionCreated', 'SessionScanned'], 'PENDING'],
    ['I2', 'PENDING becomes CONFIRMED', [], ['SessionCreated', 'SessionConfirmed'], 'CONFIRMED'],
    ['I3', 'a code is exchanged twice', [ok('exchange'), ok('exchange')], WHOLE, 'COMPLETED'],
    ['I7', 'CANCELLED becomes COMPLETED', [], ['SessionCreated', 'SessionCancelled', 'SessionCompleted'], 'COMPLETED'],
    ['I7', 'EXPIRED becomes CONFIRMED', [], ['SessionCreated', 'SessionScanned', 'SessionExpired', 'SessionConfirmed'], 'CONFIRMED'],
  ])('%s: sees that %s', (invariant, _, entries, types, status) => {
    expect(check(entries, types, status)).toContain(invariant);
  });

  it('I2: sees a hole in the revisions', () => {
    expect(check([], ['SessionCreated', 'SessionScanned'], 'SCANNED', (i) => i * 2)).toContain('I2');
  });
});
