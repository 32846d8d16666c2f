import { describe, expect, it } from '@jest/globals';
import { BasicConstraintsExtension, Extension, KeyUsageFlags, KeyUsagesExtension, Name } from '@peculiar/x509';

import { SystemRandomness } from '#kernel';
import { type KeyPair, newKey } from '#testkit/pki/signing-requests';
import { testUnit } from '#testkit/pki/test-certificates';
import { contents, type DerNode, encode, oid, sequence, raw, tagged, TAG } from '../der/der.js';
import { OID } from '../der/oids.js';
import type { TrustServiceUnit } from '../development/development-pki.js';
import { Certificate } from './certificate.js';
import { issueCertificate, newSerial } from './issue-certificate.js';
import { TrustStore, Untrusted } from './trust-store.js';

const now = Date.UTC(2026, 5, 1);
const { nonRepudiation, keyCertSign, cRLSign } = KeyUsageFlags;

// the forms of GeneralName
const dns = (name: string): DerNode => contents(TAG.primitive(2), Buffer.from(name));
const email = (name: string): DerNode => contents(TAG.primitive(1), Buffer.from(name));
const uri = (name: string): DerNode => contents(TAG.primitive(6), Buffer.from(name));
const ip = (...octets: readonly number[]): DerNode => contents(TAG.primitive(7), Buffer.from(octets));
const directory = (name: string): DerNode => tagged(4, raw(Buffer.from(new Name(name).toArrayBuffer())));
const other = (): DerNode => tagged(0, oid('1.3.6.1.4.1.32473.2'), tagged(0, contents(0x05, Buffer.alloc(0))));
const IPV6 = Array.from({ length: 16 }, (_, at) => (at === 15 ? 1 : 0));

interface Subtrees {
  readonly permitted?: readonly DerNode[];
  readonly excluded?: readonly DerNode[];
  readonly critical?: boolean;
}
const subtree = (base: DerNode): DerNode => sequence(base);
const constraints = ({ permitted, excluded, critical = true }: Subtrees): Extension =>
  new Extension(
    OID.nameConstraints,
    critical,
    encode(sequence(...(permitted ? [tagged(0, ...permitted.map(subtree))] : []), ...(excluded ? [tagged(1, ...excluded.map(subtree))] : []))),
  );
const alternative = (names: readonly DerNode[], critical = false): Extension =>
  new Extension(OID.subjectAltName, critical, encode(sequence(...names)));

interface Wanted {
  readonly subject?: string;
  readonly extensions?: readonly Extension[];
  readonly keys?: KeyPair;
}
const issue = (
  issuer: TrustServiceUnit,
  usage: readonly Extension[],
  { subject = 'C=EE, CN=A', extensions = [], keys }: Wanted,
): Promise<TrustServiceUnit> =>
  testUnit({ profile: { subject: new Name(subject), years: 1, extensions: [...usage, ...extensions] }, issuer, now, ...(keys && { keys }) });
const ca = (issuer: TrustServiceUnit, wanted: Wanted): Promise<TrustServiceUnit> =>
  issue(issuer, [new BasicConstraintsExtension(true, undefined, true), new KeyUsagesExtension(keyCertSign | cRLSign, true)], wanted);
const leaf = (issuer: TrustServiceUnit, wanted: Wanted): Promise<TrustServiceUnit> =>
  issue(issuer, [new KeyUsagesExtension(nonRepudiation, true)], wanted);

const selfSigned = async (keys: KeyPair, extensions: readonly Extension[], subject = 'CN=Root'): Promise<TrustServiceUnit> => {
  const name = new Name(subject);
  const usage = [new BasicConstraintsExtension(true, undefined, true), new KeyUsagesExtension(keyCertSign | cRLSign, true)];
  const spki = keys.publicKey.export({ format: 'der', type: 'spki' }) as Buffer;
  const profile = { subject: name, years: 1, extensions: [...usage, ...extensions] };
  const terms = { profile, spki, serial: newSerial(new SystemRandomness()), notBefore: now - 1000, notAfter: now + 86_400_000 };
  return { certificate: await issueCertificate(terms, { name, privateKey: keys.privateKey }), privateKey: keys.privateKey };
};

const holds = (root: TrustServiceUnit, pool: readonly TrustServiceUnit[], end: TrustServiceUnit): boolean => {
  try {
    const [anchor, ...others] = [root, ...pool].map(({ certificate }) => Certificate.parse(certificate));
    new TrustStore(anchor ? [anchor] : []).chain(Certificate.parse(end.certificate), others, now);
    return true;
  } catch (error) {
    if (error instanceof Untrusted) return false;
    throw error;
  }
};
const rootWith = (...extensions: readonly Extension[]): Promise<TrustServiceUnit> => selfSigned(newKey['P-256'](), extensions);

/** Whether an end certificate with those names is accepted under an authority with those constraints. */
const accepts = async (subtrees: Subtrees, names: readonly DerNode[], subject = 'C=EE, CN=A'): Promise<boolean> => {
  const root = await rootWith();
  const issuing = await ca(root, { subject: 'C=EE, CN=Issuing', extensions: [constraints(subtrees)] });
  const end = await leaf(issuing, { subject, extensions: names.length > 0 ? [alternative(names)] : [] });
  return holds(root, [issuing], end);
};

const FORMS: readonly (readonly [string, Subtrees, readonly DerNode[]])[] = [
  ['the same host', { permitted: [dns('example.com')] }, [dns('example.com')]],
  ['a host below, in capitals', { permitted: [dns('example.com')] }, [dns('Foo.Bar.EXAMPLE.com')]],
  ['a host, by a constraint that is not critical', { permitted: [dns('example.com')], critical: false }, [dns('example.com')]],
  ['a wildcard below', { permitted: [dns('example.com')] }, [dns('*.example.com')]],
  ['one of two hosts', { permitted: [dns('a.example'), dns('b.example')] }, [dns('b.example'), dns('x.a.example')]],
  ['an address of IPv4', { permitted: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [ip(192, 0, 2, 1)]],
  ['an address of IPv6', { permitted: [ip(...IPV6, ...Array.from({ length: 16 }, () => 255))] }, [ip(...IPV6)]],
  ['a name of another form than the permitted one', { permitted: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [dns('example.com')]],
  ['a name of another form than the excluded one', { excluded: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [dns('example.com')]],
  ['a mailbox', { permitted: [email('foo@example.com')] }, [email('foo@EXAMPLE.com')]],
  ['a mailbox of a host', { permitted: [email('example.com')] }, [email('foo@example.com')]],
  ['a mailbox below a domain', { permitted: [email('.example.com')] }, [email('foo@mail.example.com')]],
  ...['*', '**', 'user*'].map(
    (local) => [`the mailbox ${local}`, { permitted: [email(`${local}@example.com`)] }, [email(`${local}@example.com`)]] as const,
  ),
  ['a URI of a host', { permitted: [uri('example.com')] }, [uri('https://example.com:8443/a')]],
  ['a URI below a domain', { permitted: [uri('.example.com')] }, [uri('ldap://a.example.com/x')]],
  ['no name of an excluded form that is not known', { permitted: [dns('example.com')], excluded: [other()] }, [dns('example.com')]],
  ['a host beside an excluded one', { permitted: [dns('example.com')], excluded: [dns('bar.example.com')] }, [dns('foo.example.com')]],
];

describe('a chain under name constraints (RFC 5280 §4.2.1.10)', () => {
  it.each(FORMS)('holds for %s', async (_, subtrees, names) => {
    expect(await accepts(subtrees, names)).toBe(true);
  });

  it.each([
    ['another host', { permitted: [dns('example.com')] }, [dns('not-example.com')]],
    ['one host of two', { permitted: [dns('example.com')] }, [dns('example.com'), dns('example.org')]],
    ['an excluded host', { excluded: [dns('example.com')] }, [dns('example.com')]],
    ['the second name', { excluded: [dns('not-allowed.example.com')] }, [dns('example.com'), dns('not-allowed.example.com')]],
    ['a host both permitted and excluded', { permitted: [dns('example.com')], excluded: [dns('example.com')] }, [dns('example.com')]],
    ['a wildcard that could be the excluded host', { excluded: [dns('bar.example.com')] }, [dns('*.example.com')]],
    ['a wildcard of which one host is permitted', { permitted: [dns('foo.example.com')] }, [dns('*.example.com')]],
    ['a host with a period in front', { permitted: [dns('example.com')] }, [dns('.example.com')]],
    ['another address of IPv4', { permitted: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [ip(192, 0, 3, 1)]],
    ['an excluded address', { excluded: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [ip(192, 0, 2, 1)]],
    ['an address with a mask', { permitted: [ip(192, 0, 2, 0, 255, 255, 255, 0)] }, [ip(192, 0, 2, 0, 255, 255, 255, 0)]],
    ['IPv6 where IPv4 is permitted', { permitted: [ip(0, 0, 0, 0, 0, 0, 0, 0)] }, [ip(...IPV6)]],
    ['another mailbox', { permitted: [email('*@example.com')] }, [email('user@example.com')]],
    ['a mailbox of a host below', { permitted: [email('example.com')] }, [email('user@a.example.com')]],
    ['a mailbox with two signs', { permitted: [email('example.com')] }, [email('a@b@example.com')]],
    ['a URI of another host', { permitted: [uri('example.com')] }, [uri('https://a.example.com/')]],
    ['a URI without a host', { permitted: [uri('example.com')] }, [uri('urn:example.com')]],
    ['a URI with an address', { excluded: [uri('example.com')] }, [uri('https://192.0.2.1/')]],
    ['a name of a form that is not known', { excluded: [other()] }, [other()]],
    ['a name of a permitted form that is not known', { permitted: [other()] }, [other()]],
    ['a wildcard as a constraint', { permitted: [dns('*.example.com')] }, [dns('foo.example.com')]],
    ['a constraint with a period in front', { permitted: [dns('.example.com')] }, [dns('foo.example.com')]],
    ['a constraint of an address without its mask', { permitted: [ip(127, 0, 0, 1)] }, [ip(127, 0, 0, 1)]],
    ['a constraint of a mailbox with two signs', { permitted: [email('a@b@example.com')] }, [email('a@b@example.com')]],
    ['constraints of nothing', {}, [dns('example.com')]],
    ['empty constraints', { permitted: [], excluded: [] }, [dns('example.com')]],
  ] as readonly (readonly [string, Subtrees, readonly DerNode[]])[])('does not hold for %s', async (_, subtrees, names) => {
    expect(await accepts(subtrees, names)).toBe(false);
  });

  it('holds for a subject below a distinguished name, in another type and case, and for no other', async () => {
    const permitted = { permitted: [directory('C=EE, O=ACME')] };
    expect(await accepts(permitted, [], 'C=ee, O=Acme, CN=A')).toBe(true);
    expect(await accepts(permitted, [], 'C=EE, O=Other')).toBe(false);
    expect(await accepts(permitted, [], 'O=ACME, C=EE')).toBe(false);
    expect(await accepts(permitted, [directory('C=EE, O=Other')], 'C=EE, O=ACME')).toBe(false);
    expect(await accepts({ excluded: [directory('C=EE, O=ACME')] }, [], 'C=EE, O=ACME, CN=A')).toBe(false);
    expect(await accepts({ excluded: [directory('C=EE, O=ACME')] }, [], 'C=EE, O=Other')).toBe(true);
  });

  it('counts an e-mail address in the subject', async () => {
    expect(await accepts({ permitted: [email('example.com')] }, [], 'CN=A, E=a@example.com')).toBe(true);
    expect(await accepts({ permitted: [email('example.com')] }, [], 'CN=A, E=a@example.org')).toBe(false);
  });

  it('counts the constraints of the root, and of every authority of the path', async () => {
    const root = await rootWith(constraints({ permitted: [dns('example.com')] }));
    const wider = await ca(root, { subject: 'CN=Wider', extensions: [constraints({ permitted: [dns('example.com'), dns('example.org')] })] });
    const end = (name: string) => leaf(wider, { extensions: [alternative([dns(name)])] });
    expect(holds(root, [wider], await end('example.com'))).toBe(true);
    expect(holds(root, [wider], await end('example.org'))).toBe(false);
    const named = await ca(root, { subject: 'CN=Named', extensions: [alternative([dns('example.org')])] });
    expect(holds(root, [named], await leaf(named, {}))).toBe(false);
  });

  it('passes over a self-issued authority, and never over the last certificate', async () => {
    const root = await rootWith(constraints({ permitted: [dns('example.com')] }));
    const again = await ca(root, { subject: 'CN=Root', extensions: [alternative([dns('example.org')])] });
    expect(holds(root, [again], await leaf(again, { extensions: [alternative([dns('example.com')])] }))).toBe(true);
    expect(holds(root, [], await leaf(root, { subject: 'CN=Root', extensions: [alternative([dns('example.org')])] }))).toBe(false);
  });

  it('takes another path where one is forbidden', async () => {
    const root = await rootWith();
    const strict = await ca(root, { subject: 'CN=Strict', extensions: [constraints({ excluded: [dns('forbidden.example')] })] });
    const [keys, subject] = [newKey['P-256'](), 'CN=Twice'];
    const forbidden = await ca(strict, { subject, keys, extensions: [alternative([dns('forbidden.example')])] });
    const open = await ca(root, { subject, keys, extensions: [alternative([dns('open.example')])] });
    const end = await leaf(forbidden, {});
    expect(holds(root, [strict, forbidden], end)).toBe(false);
    expect(holds(root, [strict, forbidden, open], end)).toBe(true);
  });

  it.each([true, false])('does not hold for constraints in a certificate that is no CA, critical: %s', async (critical) => {
    const root = await rootWith();
    const extensions = [constraints({ permitted: [dns('example.com')], critical }), alternative([dns('example.com')])];
    expect(holds(root, [], await leaf(root, { extensions }))).toBe(false);
  });

  it('does not hold, and costs little, with thousands of names and subtrees', async () => {
    const many = Array.from({ length: 700 }, (_, at) => dns(`h${at}.example`));
    const begun = process.cpuUsage();
    expect(await accepts({ excluded: many }, many.toReversed())).toBe(false);
    const { user, system } = process.cpuUsage(begun);
    expect(user + system).toBeLessThan(2_000_000);
  });
});

describe('subjectAltName', () => {
  it('may be critical, beside a subject and without one (RFC 5280 §4.1.2.6)', async () => {
    const root = await rootWith();
    const names = [dns('example.com'), email('a@example.com'), other()];
    expect(holds(root, [], await leaf(root, { extensions: [alternative(names, true)] }))).toBe(true);
    expect(holds(root, [], await leaf(root, { subject: '', extensions: [alternative(names, true)] }))).toBe(true);
  });

  it('must be critical where there is no subject, and readable where it is critical', async () => {
    const root = await rootWith();
    expect(holds(root, [], await leaf(root, { subject: '', extensions: [alternative([dns('a')])] }))).toBe(false);
    expect(holds(root, [], await leaf(root, { subject: '' }))).toBe(false);
    expect(holds(root, [], await leaf(root, { extensions: [alternative([], true)] }))).toBe(false);
    const broken = new Extension(OID.subjectAltName, true, Buffer.from('no names'));
    expect(holds(root, [], await leaf(root, { extensions: [broken] }))).toBe(false);
  });

  it('does not stand for the subject of a CA', async () => {
    const root = await rootWith();
    const nameless = await ca(root, { subject: '', extensions: [alternative([dns('a')], true)] });
    expect(holds(root, [nameless], await leaf(nameless, {}))).toBe(false);
  });
});
