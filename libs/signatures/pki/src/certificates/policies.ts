import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import { onceForCertificate } from './once-for-certificate.js';

/** The demands of a user of a path on its policies (RFC 5280 §6.1.1). */
export interface PolicyTerms {
  /** Object identifiers, or {@link ANY_POLICY} alone. */
  readonly accepted: ReadonlySet<string>;
  readonly explicitPolicy: boolean;
  readonly inhibitMapping: boolean;
  readonly inhibitAnyPolicy: boolean;
}

export const ANY_POLICY = '2.5.29.32.0';

/** Any policy, or none. */
export const ANY_TERMS: PolicyTerms = { accepted: new Set([ANY_POLICY]), explicitPolicy: false, inhibitMapping: false, inhibitAnyPolicy: false };

/** A policy that all certificates so far allow. */
interface PolicyNode {
  /** The identifiers that the next certificate may use for it. */
  readonly expected: ReadonlySet<string>;
  /** The identifiers that the topmost CA uses for it, before all mappings. */
  readonly origins: ReadonlySet<string>;
}

/** By policy; empty as soon as no policy is left. */
type Policies = ReadonlyMap<string, PolicyNode>;

/** How many certificates may still follow until the rule holds. */
interface Countdowns {
  readonly explicit: number;
  readonly mapping: number;
  readonly anyPolicy: number;
}

const MAX_EXTENSION_BYTES = 16 * 1024;

/**
 * Whether the policies of a path fit together and are among those accepted (RFC 5280 §6.1.3 d to f, 6.1.4 a, b, h to j, 6.1.5 a, b, g; without the
 * tree, as in RFC 9618). `chain`: the trusted root last. Throws MalformedDer.
 */
export const policiesHold = (chain: readonly Certificate[], terms: PolicyTerms = ANY_TERMS): boolean => {
  const path = chain.slice(0, -1).reverse();
  const last = path.length - 1;
  let policies: Policies = new Map([[ANY_POLICY, { expected: new Set([ANY_POLICY]), origins: new Set([ANY_POLICY]) }]]);
  const never = path.length + 1;
  let left: Countdowns = {
    explicit: terms.explicitPolicy ? 0 : never,
    mapping: terms.inhibitMapping ? 0 : never,
    anyPolicy: terms.inhibitAnyPolicy ? 0 : never,
  };
  for (const [at, certificate] of path.entries()) {
    const mayBeAny = left.anyPolicy > 0 || (at < last && certificate.selfIssued);
    policies = narrowed(policies, policiesOf(certificate), mayBeAny);
    if (left.explicit === 0 && policies.size === 0) return false;
    if (at === last) {
      left = { ...left, explicit: Math.min(Math.max(left.explicit - 1, 0), constraintsOf(certificate).explicit === 0 ? 0 : Infinity) };
    } else {
      const mappings = mappingsOf(certificate);
      if (mappings.has(ANY_POLICY) || [...mappings.values()].some((mapped) => mapped.has(ANY_POLICY))) return false;
      policies = left.mapping > 0 ? mapped(policies, mappings) : without(policies, mappings);
      left = lowered(certificate.selfIssued ? left : stepped(left), constraintsOf(certificate));
    }
  }
  return left.explicit > 0 || isAccepted(policies, terms.accepted);
};

/** §6.1.3 d: the policies of this certificate that the path so far allows. */
const narrowed = (before: Policies, named: ReadonlySet<string>, mayBeAny: boolean): Policies => {
  const after = new Map<string, PolicyNode>();
  for (const policy of named) {
    if (policy === ANY_POLICY) continue;
    const parents = [...before.values()].filter(({ expected }) => expected.has(policy));
    if (parents.length > 0) after.set(policy, { expected: new Set([policy]), origins: new Set(parents.flatMap(({ origins }) => [...origins])) });
    else if (before.has(ANY_POLICY)) after.set(policy, sameAs(policy));
  }
  if (!named.has(ANY_POLICY) || !mayBeAny) return after;
  const kept = new Map(after);
  for (const { expected, origins } of before.values()) {
    for (const policy of expected) {
      if (after.has(policy)) continue;
      const known = kept.get(policy)?.origins ?? [];
      kept.set(policy, { expected: new Set([policy]), origins: new Set([...known, ...origins]) });
    }
  }
  return kept;
};

const sameAs = (policy: string): PolicyNode => ({ expected: new Set([policy]), origins: new Set([policy]) });

/** §6.1.4 b 1. */
const mapped = (policies: Policies, mappings: ReadonlyMap<string, ReadonlySet<string>>): Policies => {
  const after = new Map(policies);
  for (const [policy, expected] of mappings) {
    const node = policies.get(policy) ?? (policies.has(ANY_POLICY) ? sameAs(policy) : undefined);
    if (node) after.set(policy, { ...node, expected });
  }
  return after;
};

/** §6.1.4 b 2. */
const without = (policies: Policies, mappings: ReadonlyMap<string, unknown>): Policies =>
  new Map([...policies].filter(([policy]) => !mappings.has(policy)));

const stepped = ({ explicit, mapping, anyPolicy }: Countdowns): Countdowns => ({
  explicit: Math.max(explicit - 1, 0),
  mapping: Math.max(mapping - 1, 0),
  anyPolicy: Math.max(anyPolicy - 1, 0),
});

const lowered = (one: Countdowns, other: Countdowns): Countdowns => ({
  explicit: Math.min(one.explicit, other.explicit),
  mapping: Math.min(one.mapping, other.mapping),
  anyPolicy: Math.min(one.anyPolicy, other.anyPolicy),
});

/** §6.1.5 g. */
const isAccepted = (policies: Policies, accepted: ReadonlySet<string>): boolean =>
  accepted.has(ANY_POLICY) || policies.has(ANY_POLICY)
    ? policies.size > 0
    : [...policies.values()].some(({ origins }) => [...origins].some((origin) => accepted.has(origin)));

const read = (certificate: Certificate, type: string): DerReader | undefined => {
  const extension = certificate.extensions.get(type);
  return extension && DerReader.parse(extension.value, MAX_EXTENSION_BYTES);
};

const policiesOf = onceForCertificate(
  (certificate): ReadonlySet<string> =>
    new Set(
      read(certificate, OID.certificatePolicies)
        ?.members(TAG.sequence)
        .map((policy) => policy.fields().take().oid()),
    ),
);

const mappingsOf = onceForCertificate((certificate): ReadonlyMap<string, ReadonlySet<string>> => {
  const mappings = new Map<string, Set<string>>();
  for (const pair of read(certificate, OID.policyMappings)?.members(TAG.sequence) ?? []) {
    const fields = pair.fields();
    const policy = fields.take().oid();
    mappings.set(policy, (mappings.get(policy) ?? new Set()).add(fields.take().oid()));
    fields.end();
  }
  return mappings;
});

const constraintsOf = onceForCertificate((certificate): Countdowns => {
  const fields = read(certificate, OID.policyConstraints)?.fields();
  const explicit = fields?.maybe(TAG.primitive(0))?.small(TAG.primitive(0)) ?? Infinity;
  const mapping = fields?.maybe(TAG.primitive(1))?.small(TAG.primitive(1)) ?? Infinity;
  fields?.end();
  return { explicit, mapping, anyPolicy: read(certificate, OID.inhibitAnyPolicy)?.small() ?? Infinity };
});
