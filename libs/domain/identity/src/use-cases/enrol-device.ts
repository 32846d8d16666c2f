import type { JsonWebKey } from 'node:crypto';

import { type Clock, codePoints, type DeviceId, type IdentityId, InvalidRequest, isPlainText, type LocatingTokens, type Randomness } from '#kernel';
import { StreamTombstoned } from '#engines/event-store';
import type { CertificateAuthority, IssuedCertificate } from '#signatures/pki';

import { grantsOf } from '../domain/activation-grants.js';
import { readAuthenticationKey } from '../domain/authentication-key.js';
import type { AuthenticationKey } from '../domain/device.events.js';
import { identityDecider } from '../domain/identity.decider.js';
import { IdentityNotFound, InvalidActivationCode } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import { freshPin } from '../domain/pin-ladder.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Certificates } from '../repositories/certificates.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';
import { checkPinProof, type PinProofs } from '../domain/pin-proofs.js';
import type { SigningCertificate } from './read-signing-certificate.js';

export interface EnrolmentRequest {
  readonly activationCode: string;
  /** The person's name for the phone: 1 to 64 characters. */
  readonly name: string;
  /** Free text, at most 64 characters. */
  readonly platform: string;
  readonly pinProof: string;
  /** The key of the phone's device proofs. Only its public members are read. */
  readonly authenticationKey: JsonWebKey;
  /** PKCS#10 of the signing key, DER. Required where there is a certificate authority, otherwise not read. */
  readonly signingCsr?: Buffer | undefined;
}

export interface DeviceAfterEnrolment {
  readonly deviceId: DeviceId;
  readonly name: string;
  /** Of the phone's signing key. Undefined where there is no certificate authority. */
  readonly signingCertificate: SigningCertificate | undefined;
}

export interface EnrolDeviceParts {
  readonly certificates: Certificates;
  readonly identities: Identities;
  readonly devices: Devices;
  readonly records: PersonRecords;
  readonly portalPersons: PortalPersons;
  readonly pinProofs: PinProofs;
  /** With the purpose ACTIVATION_CODE. */
  readonly codes: LocatingTokens;
  /** Undefined where nothing is signed: phones then get no certificate. */
  readonly certificateAuthority: CertificateAuthority | undefined;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * Makes a phone a person's device. Everything is written before the one event that consumes the code and lists the device. A crash in
 * between leaves a device that is not listed and therefore counts as revoked. The record of the personal data comes first: an
 * erasure finds every device in it.
 */
export class EnrolDevice {
  constructor(private readonly parts: EnrolDeviceParts) {}

  /** Throws {@link InvalidRequest} and {@link InvalidActivationCode}. */
  async execute(request: EnrolmentRequest): Promise<DeviceAfterEnrolment> {
    const authenticationKey = readAuthenticationKey(request.authenticationKey);
    checkPinProof(request.pinProof);
    checkText('name', request.name, 1);
    checkText('platform', request.platform, 0);
    const { identities, portalPersons, codes, clock, randomness, certificateAuthority } = this.parts;
    if (certificateAuthority && !request.signingCsr) throw new InvalidRequest('`signing_csr` must be a PKCS#10 request in base64 DER.');
    const claim = codes.parse(request.activationCode);
    if (!claim) throw new InvalidActivationCode('not a code');

    const identityId = claim.id as IdentityId;
    const deviceId = randomness.uuid<DeviceId>();
    let device: DeviceAfterEnrolment | undefined;
    await identities.handle(identityId, async (identity) => {
      const grantId = grantsOf(identity).find(({ id }) => codes.verify(claim, id))?.id;
      const command = async () => {
        // A stranger with a made-up code costs no read.
        const isMember = grantId !== undefined && (await portalPersons.isMember(identityId));
        return { type: 'AddDevice', now: clock.now(), deviceId, grantId, isMember } as const;
      };
      const first = await command();
      identityDecider.decide(first, identity); // refuses before a certificate is issued
      if (device) return first;
      device = await this.#prepare(identityId, deviceId, authenticationKey, request);
      // A certificate takes time, in which the person may have joined the portal.
      return { ...(await command()), now: first.now };
    });
    if (!device) throw new Error('a device that was added was prepared');
    return device;
  }

  async #prepare(
    identityId: IdentityId,
    deviceId: DeviceId,
    authenticationKey: AuthenticationKey,
    request: EnrolmentRequest,
  ): Promise<DeviceAfterEnrolment> {
    const { certificates, devices, records, pinProofs, clock } = this.parts;
    const record = await records.read(identityId);
    if (!record) throw new InvalidActivationCode('erased meanwhile');
    const { name, platform } = request;
    const issued = await this.#issueCertificate(request, record.person);
    const at = clock.now();
    const pin = freshPin(pinProofs.seal(deviceId, request.pinProof));
    const enrolment = { at, identityId, authenticationKey, ...(issued && { certificateSerial: issued.serial }), pin };
    const deviceRecord = {
      name,
      platform,
      ...(issued && {
        serial: issued.serial,
        notAfter: issued.notAfter,
        certificate: issued.certificate.toString('base64'),
        certificateChain: issued.chain.map((link) => link.toString('base64')),
      }),
    };
    try {
      await records.change(identityId, (current) => ({ ...current, devices: { ...current.devices, [deviceId]: deviceRecord } }));
      await devices.handle(deviceId, { type: 'EnrolDevice', enrolment });
    } catch (error) {
      throw error instanceof IdentityNotFound || error instanceof StreamTombstoned ? new InvalidActivationCode('erased meanwhile') : error;
    }
    if (issued && !(await certificates.issue(issued.serial, { at, deviceId, notAfter: issued.notAfter })))
      throw new InvalidActivationCode('erased meanwhile');
    return { deviceId, name, signingCertificate: issued && { certificate: issued.certificate, chain: issued.chain } };
  }

  async #issueCertificate({ signingCsr: csr }: EnrolmentRequest, holder: PersonalData): Promise<IssuedCertificate | undefined> {
    return csr && this.parts.certificateAuthority?.issue({ csr, holder });
  }
}

const checkText = (field: string, text: string, min: number): void => {
  const length = codePoints(text);
  if (length < min || length > 64) throw new InvalidRequest(`\`${field}\` must have ${min} to 64 characters.`);
  if (!isPlainText(text)) throw new InvalidRequest(`\`${field}\` must hold no control or direction-override character.`);
};
