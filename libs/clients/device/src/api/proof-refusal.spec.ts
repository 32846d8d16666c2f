import { judgeProofRefusal } from './proof-refusal.js';

const MADE = 1_800_000_000_900;
const IAT = 1_800_000_000;

describe('a refused proof', () => {
  it.each([0, 59, -59])('that was made in time means a revocation (%d s)', (seconds) => {
    expect(judgeProofRefusal({ now: IAT + seconds }, MADE)).toEqual({ kind: 'REVOKED' });
  });

  it.each([60, -60, 61, -61, 5000, -5000])('that was made at another time means a wrong clock (%d s)', (seconds) => {
    expect(judgeProofRefusal({ now: IAT + seconds }, MADE)).toEqual({ kind: 'WRONG_CLOCK', serviceNow: (IAT + seconds) * 1000 });
  });

  it.each([undefined, null, {}, { now: null }, { now: String(IAT) }, { now: Number.NaN }, 'now'])('means nothing without a time: %j', (payload) => {
    expect(judgeProofRefusal(payload, MADE)).toEqual({ kind: 'UNEXPLAINED' });
  });
});
