import 'reflect-metadata';

import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Name, X509Certificate as IssuedCertificate } from '@peculiar/x509';

import type { Clock, Randomness } from '#kernel';

import { type CertificateProfile, issuingProfile, responderProfile, rootProfile, timestampingProfile } from '../certificates/certificate-profiles.js';
import { issueCertificate, type Issuer, newSerial, yearsAfter } from '../certificates/issue-certificate.js';
import { type TrustServiceAddresses, trustServiceAddresses } from '../certificates/trust-service-addresses.js';

/** One unit of the trust service: its key, and the certificate of that key. */
export interface TrustServiceUnit {
  /** DER. */
  readonly certificate: Buffer;
  readonly privateKey: KeyObject;
}

/** Root → issuing CA → signers and OCSP responder; root → time-stamping unit. */
export interface DevelopmentPki {
  readonly root: TrustServiceUnit;
  readonly issuing: TrustServiceUnit;
  readonly responder: TrustServiceUnit;
  readonly timestamping: TrustServiceUnit;
  readonly addresses: TrustServiceAddresses;
}

export interface DevelopmentPkiSettings {
  /** `KEY_DIR`; the keys lie in its folder `pki`, shared by all services. Undefined: they are made for this process and kept nowhere. */
  readonly keyDirectory: string | undefined;
  /** Stands in the certificates: `{BASE_URL}/pki/…`. */
  readonly baseUrl: string;
  /** Whether the environment is a guarded one. */
  readonly guarded: boolean;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** Its certificates mean nothing outside development, so a guarded environment may neither make nor use it. */
export class DevelopmentPkiRefused extends Error {
  constructor() {
    super('a guarded environment does not use the development certificate authority');
    this.name = 'DevelopmentPkiRefused';
  }
}

const UNITS = ['root', 'issuing', 'responder', 'timestamping'] as const;
type UnitName = (typeof UNITS)[number];
type Units = Readonly<Record<UnitName, TrustServiceUnit>>;

const NOTE = { development: true, note: 'TEST, not qualified. Keys of the development trust service; guarded environments refuse them.' };
const HOUR = 3_600_000;

/**
 * The development trust service's keys and certificates: those in `KEY_DIR/pki`, made on the first call. Any
 * number of processes may call it at once: the folder appears complete or not at all, and all use the same one.
 */
export const openDevelopmentPki = async (settings: DevelopmentPkiSettings): Promise<DevelopmentPki> => {
  if (settings.guarded) throw new DevelopmentPkiRefused();
  const addresses = trustServiceAddresses(settings.baseUrl);
  if (settings.keyDirectory === undefined) return { ...(await makeUnits(settings, addresses)), addresses };
  const directory = join(settings.keyDirectory, 'pki');
  let units = await load(directory);
  if (!units) {
    await create(directory, await makeUnits(settings, addresses));
    units = await load(directory);
  }
  if (!units) throw new Error(`${directory} vanished while it was being opened`);
  return { ...units, addresses };
};

const makeUnits = async ({ clock, randomness }: DevelopmentPkiSettings, addresses: TrustServiceAddresses): Promise<Units> => {
  // a little in the past: other machines' clocks may be behind
  const notBefore = Math.floor(clock.now() / 1000) * 1000 - HOUR;
  const make = async (namedCurve: string, profile: CertificateProfile, parent?: TrustServiceUnit): Promise<TrustServiceUnit> => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    const issuer: Issuer = parent ? issuerOf(parent) : { name: profile.subject, privateKey };
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const request = { profile, spki, serial: newSerial(randomness), notBefore, notAfter: yearsAfter(notBefore, profile.years) };
    return { certificate: await issueCertificate(request, issuer), privateKey };
  };
  const root = await make('secp384r1', rootProfile());
  const issuing = await make('prime256v1', issuingProfile(addresses), root);
  const responder = await make('prime256v1', responderProfile(addresses), issuing);
  const timestamping = await make('prime256v1', timestampingProfile(addresses), root);
  return { root, issuing, responder, timestamping };
};

/** A CA as the issuer of further certificates: its name is copied byte for byte. */
export const issuerOf = ({ certificate, privateKey }: TrustServiceUnit): Issuer => ({
  name: new Name(new IssuedCertificate(certificate).subjectName.toArrayBuffer()),
  privateKey,
});

const load = async (directory: string): Promise<Units | undefined> => {
  try {
    await readFile(join(directory, 'development.json'));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const unit = (name: UnitName): Promise<TrustServiceUnit> => loadUnit(directory, name);
  const [root, issuing, responder, timestamping] = await Promise.all([unit('root'), unit('issuing'), unit('responder'), unit('timestamping')]);
  return { root, issuing, responder, timestamping };
};

const loadUnit = async (directory: string, name: UnitName): Promise<TrustServiceUnit> => {
  const certificate = new X509Certificate(await readFile(join(directory, `${name}.pem`)));
  const privateKey = createPrivateKey(await readFile(join(directory, `${name}.key`)));
  if (!certificate.checkPrivateKey(privateKey)) throw new Error(`${join(directory, name)}.key does not belong to ${name}.pem`);
  return { certificate: certificate.raw, privateKey };
};

/** Writes a folder beside the final one and renames it: the rename fails for all but the first. */
const create = async (directory: string, units: Units): Promise<void> => {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${directory}-`);
  try {
    await chmod(draft, 0o700);
    for (const name of UNITS) {
      await write(join(draft, `${name}.key`), units[name].privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600);
      await write(join(draft, `${name}.pem`), new X509Certificate(units[name].certificate).toString(), 0o644);
    }
    await write(join(draft, 'development.json'), `${JSON.stringify(NOTE)}\n`, 0o644);
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error;
  }
};

const write = async (path: string, text: string, mode: number): Promise<void> => {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code;
