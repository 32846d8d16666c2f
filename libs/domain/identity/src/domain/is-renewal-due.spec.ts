import { isRenewalDue } from './certificate-renewal.js';

const DAY = 86_400_000;

describe('the renewal of a certificate', () => {
  it.each([
    ['two years', 730, 30],
    ['90 days', 90, 30],
    ['60 days', 60, 20],
    ['a day', 1, 1 / 3],
  ])('of %s is due in its last 30 days, or its last third if that is shorter', (_, days, last) => {
    const [notBefore, notAfter] = [10 * DAY, (10 + days) * DAY];
    const due = notAfter - last * DAY;
    expect([due - 1, due, notAfter].map((now) => isRenewalDue({ notBefore, notAfter }, now))).toEqual([false, true, true]);
  });
});
