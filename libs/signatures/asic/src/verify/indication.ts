import type { Finding, Rule, SubIndication, Verdict } from './report.js';

const TOTAL_FAILED: ReadonlySet<SubIndication> = new Set(['FORMAT_FAILURE', 'HASH_FAILURE', 'SIG_CRYPTO_FAILURE', 'REVOKED']);

const SUB_INDICATIONS: Readonly<Record<Rule, SubIndication>> = {
  archive: 'FORMAT_FAILURE',
  form: 'SIG_CONSTRAINTS_FAILURE',
  mimetype: 'FORMAT_FAILURE',
  entries: 'FORMAT_FAILURE',
  'file-changed': 'HASH_FAILURE',
  manifest: 'FORMAT_FAILURE',
  'manifest-changed': 'HASH_FAILURE',
  'signature-format': 'FORMAT_FAILURE',
  'signature-order': 'FORMAT_FAILURE',
  'signature-value': 'SIG_CRYPTO_FAILURE',
  algorithm: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'signer-certificate': 'NO_SIGNING_CERTIFICATE_FOUND',
  'signer-key-usage': 'CHAIN_CONSTRAINTS_FAILURE',
  'signing-certificate': 'NO_SIGNING_CERTIFICATE_FOUND',
  'signing-time': 'SIG_CONSTRAINTS_FAILURE',
  trust: 'NO_CERTIFICATE_CHAIN_FOUND',
  expired: 'OUT_OF_BOUNDS_NO_POE',
  level: 'SIG_CONSTRAINTS_FAILURE',
  'time-stamp': 'NO_POE',
  'time-order': 'TIMESTAMP_ORDER_FAILURE',
  revoked: 'REVOKED',
  'revoked-later': 'REVOKED_NO_POE',
  'revoked-authority': 'REVOKED_CA_NO_POE',
  revocation: 'TRY_LATER',
  lifetime: 'REVOCATION_OUT_OF_BOUNDS_NO_POE',
  'archive-manifest': 'FORMAT_FAILURE',
  'archive-changed': 'HASH_FAILURE',
  'archive-time-stamp': 'NO_POE',
};

/** What is not known here does not meet the constraints of this validator, which says nothing against the signature. */
const UNJUDGED: SubIndication = 'SIG_CONSTRAINTS_FAILURE';

/** Whether the container is not ours to judge: nothing proves it wrong, and some form in it is not known here. */
export const isUnjudged = ({ verdict, findings }: Verdict & { readonly findings: readonly Finding[] }): boolean =>
  verdict === 'INDETERMINATE' && findings.some(({ unjudged }) => unjudged);

/**
 * The verdict that the findings lead to: that of the first one that proves the signature wrong, or else of the first one. Without a finding, and
 * without the signed file, nothing is known about the file: `INDETERMINATE`, `SIGNED_DATA_NOT_FOUND`.
 */
export const verdictOf = (findings: readonly Finding[], holdsFile: boolean): Verdict => {
  const reasons = findings.map(({ rule, unjudged }) => (unjudged ? UNJUDGED : SUB_INDICATIONS[rule]));
  const failure = reasons.find((reason) => TOTAL_FAILED.has(reason));
  if (failure) return { verdict: 'TOTAL_FAILED', subIndication: failure };
  const [first] = reasons;
  if (first) return { verdict: 'INDETERMINATE', subIndication: first };
  return holdsFile ? { verdict: 'TOTAL_PASSED' } : { verdict: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' };
};
