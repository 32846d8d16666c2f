import { describe, expect, it } from '@jest/globals';

import { verdictOf } from './indication.js';
import type { Rule, SubIndication } from './report.js';

const verdictFor = (rules: readonly Rule[], holdsFile = true): unknown =>
  verdictOf(
    rules.map((rule) => ({ rule, message: '' })),
    holdsFile,
  );
const failed = (subIndication: SubIndication) => ({ verdict: 'TOTAL_FAILED', subIndication });
const indeterminate = (subIndication: SubIndication) => ({ verdict: 'INDETERMINATE', subIndication });

describe('a verdict in the words of EN 319 102-1', () => {
  it('is TOTAL_PASSED without a finding and with the signed file', () => {
    expect(verdictFor([])).toEqual({ verdict: 'TOTAL_PASSED' });
  });

  it('is INDETERMINATE while the signed file is not there', () => {
    expect(verdictFor([], false)).toEqual(indeterminate('SIGNED_DATA_NOT_FOUND'));
  });

  it.each<[Rule, object]>([
    ['archive', failed('FORMAT_FAILURE')],
    ['file-changed', failed('HASH_FAILURE')],
    ['manifest-changed', failed('HASH_FAILURE')],
    ['signature-value', failed('SIG_CRYPTO_FAILURE')],
    ['revoked', failed('REVOKED')],
    ['revoked-later', indeterminate('REVOKED_NO_POE')],
    ['revoked-authority', indeterminate('REVOKED_CA_NO_POE')],
    ['algorithm', indeterminate('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')],
    ['expired', indeterminate('OUT_OF_BOUNDS_NO_POE')],
    ['trust', indeterminate('NO_CERTIFICATE_CHAIN_FOUND')],
    ['revocation', indeterminate('TRY_LATER')],
    ['time-order', indeterminate('TIMESTAMP_ORDER_FAILURE')],
  ])('for a finding of the rule %s has its sub-indication', (rule, verdict) => {
    expect(verdictFor([rule])).toEqual(verdict);
    expect(verdictFor([rule], false)).toEqual(verdict);
  });

  it('is that of the finding that proves the signature wrong, wherever it stands', () => {
    expect(verdictFor(['trust', 'level', 'file-changed'])).toEqual(failed('HASH_FAILURE'));
  });

  it('is that of the first finding, when none proves the signature wrong', () => {
    expect(verdictFor(['level', 'trust'])).toEqual(indeterminate('SIG_CONSTRAINTS_FAILURE'));
  });
});
