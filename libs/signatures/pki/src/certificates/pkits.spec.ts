import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import { statusByLists } from '../crl/status-by-lists.js';
import { MalformedDer } from '../der/malformed-der.js';
import { Certificate } from './certificate.js';
import { ANY_POLICY, type PolicyTerms } from './policies.js';
import { TrustStore, Untrusted, withRest } from './trust-store.js';

interface Vector {
  readonly name: string;
  /** The trusted root first. */
  readonly path: readonly string[];
  readonly lists: readonly string[];
  readonly valid: boolean;
  readonly policies: readonly string[];
  readonly inhibitMapping: boolean;
  readonly explicitPolicy: boolean;
  readonly inhibitAnyPolicy: boolean;
}

interface Suite {
  readonly vectors: readonly Vector[];
  /** By name, base64 of DER. */
  readonly certificates: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, string>>;
}

const suite = JSON.parse(gunzipSync(readFileSync('test/vectors/pkits/pkits.json.gz')).toString()) as Suite;

// within the life of the certificates, and before RSA of 2048 bits ends
const AT = Date.UTC(2026, 5, 1);

/** Valid paths that are refused, in their order, and why. */
const STRICTER: readonly { readonly why: string; readonly tests: readonly string[] }[] = [
  { why: 'ETSI TS 119 312 knows no DSA', tests: ['4.1.4', '4.1.5'] },
  { why: 'a list is signed by a key whose certificate does not stand in the path', tests: ['4.4.19', '4.5.4', '4.5.6'] },
  {
    why: 'a list for some reasons only, or of another issuer',
    tests: ['18', '19', '22', '24', '25', '28', '29', '30', '33'].map((test) => `4.14.${test}`),
  },
  { why: 'a list of changes only', tests: ['4.15.2', '4.15.5', '4.15.7', '4.15.8'] },
];

/** NIST-test-policy-1 is 2.16.840.1.101.3.2.1.48.1. */
const policyOf = (name: string): string => (name === 'anyPolicy' ? ANY_POLICY : `2.16.840.1.101.3.2.1.48.${name.split('-').at(-1) ?? ''}`);

const certificate = (name: string): Certificate => Certificate.parse(Buffer.from(suite.certificates[name] ?? '', 'base64'));

/** Whether the last certificate of the path is good: a chain leads to the root, and a list says of every certificate that it is not revoked. */
const accepts = ({ path, lists, policies, ...terms }: Vector): boolean => {
  try {
    const [root, ...rest] = path.map(certificate);
    const [leaf, ...pool] = rest.reverse();
    const wanted: PolicyTerms = { ...terms, accepted: new Set(policies.map(policyOf)) };
    const chain = new TrustStore([root as Certificate]).chain(leaf as Certificate, pool, AT, wanted);
    const ders = lists.map((name) => Buffer.from(suite.lists[name] ?? '', 'base64'));
    return withRest(chain).every(([one, above]) => statusByLists(ders, one, { above, at: AT }) === 'good');
  } catch (error) {
    if (error instanceof Untrusted || error instanceof MalformedDer) return false;
    throw error;
  }
};

describe('NIST PKITS', () => {
  const outcomes = suite.vectors.map((vector) => ({ name: vector.name, valid: vector.valid, accepted: accepts(vector) }));

  it('has no path that is to be refused and that we accept', () => {
    expect(outcomes.filter(({ valid, accepted }) => accepted && !valid).map(({ name }) => name)).toEqual([]);
  });

  it('has valid paths that we refuse, for these reasons only', () => {
    const refused = outcomes.filter(({ valid, accepted }) => valid && !accepted).map(({ name }) => name.split(' ')[0]);
    expect(refused).toEqual(STRICTER.flatMap(({ tests }) => tests));
  });

  it('is judged as NIST expects in 231 of 249 vectors', () => {
    expect([outcomes.filter(({ valid, accepted }) => valid === accepted).length, outcomes.length]).toEqual([231, 249]);
  });
});
