import { columnsOf, reasonsOf, stepsOf } from './funnel-words.js';
import { en } from './messages/en.js';

const ended = { declined: 0, left: 0, wrongCode: 0, pinLocked: 0, withdrawn: 0, erased: 0, expired: 0 };
const days = [
  { day: '2026-11-22', created: 6, scanned: 4, confirmed: 3, exchanged: 2, ended: { ...ended, declined: 1, expired: 1 } },
  { day: '2026-11-23', created: 2, scanned: 2, confirmed: 1, exchanged: 2, ended: { ...ended, expired: 1 } },
];

describe('the chart of logins', () => {
  it('adds up each step, with its share of the logins that began', () => {
    expect(stepsOf(en, days).map(({ count, share }) => [count, share])).toEqual([
      [8, 1],
      [6, 0.75],
      [4, 0.5],
      [4, 0.5],
    ]);
  });

  it('tells the reasons that there were, each by its name', () => {
    expect(reasonsOf(en, days)).toEqual([
      { label: en.whyExpired, count: 2, share: 0.25 },
      { label: en.whyDeclined, count: 1, share: 0.125 },
    ]);
  });

  it('never draws beyond its frame: a login may begin on one day and end on the next', () => {
    const late = [{ day: '2026-11-24', created: 1, scanned: 3, exchanged: 4, ended: { ...ended, expired: 5 } }];
    const shares = [...stepsOf(en, late), ...reasonsOf(en, late)].map(({ share }) => share);
    expect(Math.max(...shares)).toBe(1);
    expect(columnsOf(late)).toEqual([{ day: '2026-11-24', created: 1, exchanged: 4, began: 0.25, done: 1 }]);
  });

  it('draws nothing for days without logins, and for an answer that it does not know', () => {
    const odd = [{}, { day: 7, created: 'many', exchanged: -1, ended: null }];
    expect(stepsOf(en, odd).every(({ count, share }) => count === 0 && share === 0)).toBe(true);
    expect(reasonsOf(en, odd)).toEqual([]);
    expect(columnsOf(odd).every(({ began, done }) => began === 0 && done === 0)).toBe(true);
    expect(columnsOf([])).toEqual([]);
  });
});
