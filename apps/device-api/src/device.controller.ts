import type { JsonWebKey } from 'node:crypto';

import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';

import { epochSeconds, fromBase64, InvalidRequest } from '#kernel';
import { type CodeHolder, type Device, EnrolDevice, FindCodeHolder, RenewCertificate, RevokeThisDevice } from '#domain/identity';

import { ProvenDevice, ProvenKey } from './device-proof.hooks.js';
import { ActivationCodeDto, EnrolDeviceDto, RenewCertificateDto } from './enrol-device.dto.js';

interface CertificateView {
  /**
   * DER.
   *
   * @format byte
   */
  readonly signingCertificate: string;
  /** Base64 DER, the issuing CA first, the root last. */
  readonly certificateChain: readonly string[];
}

/** Without a certificate where the service signs nothing. */
interface EnrolledDevice extends Partial<CertificateView> {
  readonly deviceId: string;
  readonly name: string;
}

/** A revoked device proves nothing. */
interface LiveDevice extends Device {
  readonly status: 'ACTIVE' | 'LOCKED';
}

interface DeviceView {
  readonly deviceId: string;
  readonly status: LiveDevice['status'];
  /** Epoch seconds; absent while LOCKED means until a new enrolment. */
  readonly lockedUntil?: number;
}

@Controller('app/v1/device')
export class DeviceController {
  constructor(
    private readonly enrolDevice: EnrolDevice,
    private readonly findCodeHolder: FindCodeHolder,
    private readonly renewCertificate: RenewCertificate,
    private readonly revokeThisDevice: RevokeThisDevice,
  ) {}

  @Post()
  @HttpCode(200)
  async enrol(@Body() body: EnrolDeviceDto, @ProvenKey() authenticationKey: JsonWebKey): Promise<EnrolledDevice> {
    const signingCsr = body.signing_csr === undefined ? undefined : requestIn(body.signing_csr);
    const { deviceId, name, signingCertificate } = await this.enrolDevice.execute({
      activationCode: body.activation_code,
      name: body.name,
      platform: body.platform,
      signingCsr,
      pinProof: body.pin_proof,
      authenticationKey,
    });
    return { deviceId, name, ...(signingCertificate && viewOf(signingCertificate)) };
  }

  /** specification/app.md#post-device-certificate */
  @Post('certificate')
  @HttpCode(200)
  async renew(@Body() { signing_csr }: RenewCertificateDto, @ProvenDevice() device: Device): Promise<CertificateView> {
    return viewOf(await this.renewCertificate.execute(requestIn(signing_csr), device));
  }

  /** Whose phone the sender would become. */
  @Post('holder')
  @HttpCode(200)
  holder(@Body() body: ActivationCodeDto): Promise<CodeHolder> {
    return this.findCodeHolder.execute(body.activation_code);
  }

  @Get()
  show(@ProvenDevice() { deviceId, status, lockedUntil }: LiveDevice): DeviceView {
    return { deviceId, status, ...(lockedUntil !== undefined && { lockedUntil: epochSeconds(lockedUntil) }) };
  }

  @Delete()
  @HttpCode(204)
  revoke(@ProvenDevice() device: Device): Promise<void> {
    return this.revokeThisDevice.execute(device);
  }
}

const requestIn = (base64: string): Buffer => {
  const request = fromBase64(base64);
  if (!request) throw new InvalidRequest('`signing_csr` must be base64 of a DER PKCS#10 request.');
  return request;
};

const viewOf = ({ certificate, chain }: { readonly certificate: Buffer; readonly chain: readonly Buffer[] }): CertificateView => ({
  signingCertificate: certificate.toString('base64'),
  certificateChain: chain.map((link) => link.toString('base64')),
});
