import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import { type GeneralName, namesOf, readGeneralName } from './general-names.js';
import { isIn, isWellFormedBase, isWellFormedName, mayBeIn } from './name-subtrees.js';
import { onceForCertificate } from './once-for-certificate.js';

/** NameConstraints (RFC 5280 §4.2.1.10). */
interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

const MAX_EXTENSION_BYTES = 16 * 1024;
// a few names and subtrees are usual; thousands of both are there to cost time
const MAX_COMPARISONS = 20_000;

/**
 * Whether the names of each certificate of a path lie where the certificates above allow (RFC 5280 §6.1.3 b and c, 6.1.4 g). A constraint on a form that
 * is not understood refuses every name of that form, and a malformed constraint or name refuses the path. Those of the trusted root count too (RFC 5937).
 * `chain`: the trusted root last.
 */
export const namesHold = (chain: readonly Certificate[]): boolean => {
  try {
    if (!chain.some((certificate) => constraintsOf(certificate))) return true;
    const budget = { left: MAX_COMPARISONS };
    return chain.every((certificate, at) => {
      // §6.1.3 b: a self-issued certificate that is not the last one may keep the name of its issuer
      if (at > 0 && certificate.selfIssued) return true;
      return chain.slice(at + 1).every((above) => areAllowed(namesOf(certificate), constraintsOf(above), budget));
    });
  } catch (error) {
    if (error instanceof MalformedDer) return false;
    throw error;
  }
};

const areAllowed = (names: readonly GeneralName[], constraints: NameConstraints | undefined, budget: { left: number }): boolean => {
  if (!constraints) return true;
  const { permitted, excluded } = constraints;
  budget.left -= names.length * (permitted.length + excluded.length);
  if (budget.left < 0) return false;
  return names.every((name) => {
    const [inside, outside] = [permitted, excluded].map((subtrees) => subtrees.filter(({ form }) => form === name.form));
    if (!inside?.length && !outside?.length) return true;
    if (!isWellFormedName(name)) return false;
    return (!inside?.length || inside.some((base) => isIn(name, base))) && !outside?.some((base) => mayBeIn(name, base));
  });
};

const constraintsOf = onceForCertificate(({ extensions, isCa }): NameConstraints | undefined => {
  const extension = extensions.get(OID.nameConstraints);
  if (!extension) return undefined;
  if (!isCa) throw new MalformedDer('name constraints in a certificate that is no CA');
  const fields = DerReader.parse(extension.value, MAX_EXTENSION_BYTES).fields();
  const permitted = readSubtrees(fields.maybe(TAG.constructed(0)));
  const excluded = readSubtrees(fields.maybe(TAG.constructed(1)));
  fields.end();
  if (permitted.length + excluded.length === 0) throw new MalformedDer('empty name constraints');
  return { permitted, excluded };
});

const readSubtrees = (subtrees: DerReader | undefined): readonly GeneralName[] => (subtrees?.members() ?? []).map(readSubtree);

const readSubtree = (subtree: DerReader): GeneralName => {
  const fields = subtree.fields();
  const base = readGeneralName(fields.take());
  // §4.2.1.10: no name form uses them
  const minimum = fields.maybe(TAG.primitive(0))?.small(TAG.primitive(0)) ?? 0;
  fields.end();
  if (minimum !== 0 || !isWellFormedBase(base)) throw new MalformedDer('a subtree of names');
  return base;
};
