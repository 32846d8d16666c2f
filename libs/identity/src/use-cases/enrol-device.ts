import type { JsonWebKey } from 'node:crypto';

import { type Clock, codePoints, type DeviceId, type IdentityId, InvalidRequest, isPlainText, type LocatingTokens, type Randomness } from '#kernel';
import { EventIds, type EventStore, NO_STREAM } from '#event-store';

import { readAuthenticationKey } from '../domain/authentication-key.js';
import type { AuthenticationKey } from '../domain/device.events.js';
import { identityDecider } from '../domain/identity.decider.js';
import { IdentityNotFound, InvalidActivationCode } from '../domain/identity.errors.js';
import type { Identity } from '../domain/identity.js';
import { freshPin } from '../domain/pin-ladder.js';
import type { CertificateAuthority } from '../ports/certificate-authority.js';
import type { Devices } from './devices.js';
import type { Identities } from './identities.js';
import type { PersonRecords } from './person-records.js';
import { checkPinProof, type PinProofs } from './pin-proofs.js';
import { certificateStream, deviceStream } from './streams.js';

export interface EnrolmentRequest {
  readonly activationCode: string;
  /** What the person calls the phone: 1 to 64 characters. */
  readonly name: string;
  /** Free text, at most 64 characters. */
  readonly platform: string;
  readonly pinProof: string;
  /** The key that the phone proves itself with. Only its public members are looked at. */
  readonly authenticationKey: JsonWebKey;
  /** PKCS#10 of the signing key, DER. */
  readonly signingCsr: Buffer;
}

export interface EnrolledDevice {
  readonly deviceId: DeviceId;
  readonly name: string;
  /** DER. */
  readonly certificate: Buffer;
  /** DER, issuing CA first, root last. */
  readonly chain: readonly Buffer[];
}

export interface EnrolDeviceParts {
  readonly store: EventStore;
  readonly identities: Identities;
  readonly devices: Devices;
  readonly records: PersonRecords;
  readonly pinProofs: PinProofs;
  /** Of the purpose ACTIVATION_CODE. */
  readonly codes: LocatingTokens;
  readonly certificateAuthority: CertificateAuthority;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * Makes a phone a person's device. Everything is written before the one event that uses the code up and lists the
 * device; a crash in between leaves a device that nothing lists and that therefore counts as revoked.
 */
export class EnrolDevice {
  constructor(private readonly parts: EnrolDeviceParts) {}

  /** Throws {@link InvalidRequest} and {@link InvalidActivationCode}. */
  async execute(request: EnrolmentRequest): Promise<EnrolledDevice> {
    const authenticationKey = readAuthenticationKey(request.authenticationKey);
    checkPinProof(request.pinProof);
    checkText('name', request.name, 1);
    checkText('platform', request.platform, 0);
    const { identities, codes, clock, randomness } = this.parts;
    const claim = codes.parse(request.activationCode);
    if (!claim) throw new InvalidActivationCode('not a code');

    const identityId = claim.id as IdentityId;
    const deviceId = randomness.uuid<DeviceId>();
    let device: EnrolledDevice | undefined;
    await identities.handle(identityId, async (identity) => {
      const grantId = grantsOf(identity).find(({ id }) => codes.verify(claim, id))?.id;
      const command = { type: 'AddDevice', now: clock.now(), deviceId, grantId } as const;
      identityDecider.decide(command, identity); // refuses before a certificate is issued
      device ??= await this.#prepare(identityId, deviceId, authenticationKey, request);
      return command;
    });
    if (!device) throw new Error('a device that was added was prepared');
    return device;
  }

  async #prepare(identityId: IdentityId, deviceId: DeviceId, authenticationKey: AuthenticationKey, request: EnrolmentRequest): Promise<EnrolledDevice> {
    const { devices, records, pinProofs, certificateAuthority, clock } = this.parts;
    const record = await records.read(identityId);
    if (!record) throw new InvalidActivationCode('erased meanwhile');
    const { name, platform } = request;
    const { certificate, chain, serial, notAfter } = await certificateAuthority.issue({ csr: request.signingCsr, serialHolder: record.person });
    const pin = freshPin(pinProofs.keep(deviceId, request.pinProof));
    const enrolment = { at: clock.now(), identityId, authenticationKey, certificateSerial: serial, pin };
    await devices.handle(deviceStream(deviceId), () => ({ type: 'EnrolDevice', enrolment }));
    await this.#pointTo(deviceId, serial, notAfter);
    await records
      .change(identityId, (current) => ({
        ...(current ?? record),
        devices: {
          ...current?.devices,
          [deviceId]: { name, platform, certificate: certificate.toString('base64'), certificateChain: chain.map((link) => link.toString('base64')) },
        },
      }))
      .catch((error: unknown) => {
        throw error instanceof IdentityNotFound ? new InvalidActivationCode('erased meanwhile') : error;
      });
    return { deviceId, name, certificate, chain };
  }

  /** So that whoever is asked about a certificate finds its device. */
  async #pointTo(deviceId: DeviceId, serial: string, notAfter: number): Promise<void> {
    const { store, clock, randomness } = this.parts;
    const stream = certificateStream(serial);
    const data = { at: clock.now(), deviceId, notAfter };
    await store.append(stream, NO_STREAM, [{ type: 'CertificateIssued', data, id: new EventIds(randomness).next(stream) }]);
  }
}

const grantsOf = (identity: Identity) => (identity.status === 'REGISTERED' ? identity.grants : []);

const checkText = (field: string, text: string, min: number): void => {
  const length = codePoints(text);
  if (length < min || length > 64) throw new InvalidRequest(`\`${field}\` must have ${min} to 64 characters.`);
  if (!isPlainText(text)) throw new InvalidRequest(`\`${field}\` must hold no control or direction-override character.`);
};
