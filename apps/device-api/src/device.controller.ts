import type { JsonWebKey } from 'node:crypto';

import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';

import { epochSeconds, fromBase64, InvalidRequest } from '#kernel';
import { type Device, EnrolDevice } from '#identity';

import { ProvenDevice, ProvenKey } from './device-proof.hooks.js';
import { EnrolDeviceDto } from './enrol-device.dto.js';

interface EnrolledDevice {
  readonly deviceId: string;
  readonly name: string;
  /** Base64 DER. Absent where the service signs nothing. */
  readonly signingCertificate?: string;
  /** Base64 DER, the issuing CA first, the root last. Absent where the service signs nothing. */
  readonly certificateChain?: readonly string[];
}

interface DeviceView {
  readonly deviceId: string;
  readonly status: string;
  /** Epoch seconds; absent while LOCKED means until a new enrolment. */
  readonly lockedUntil?: number;
}

@Controller('app/v1/device')
export class DeviceController {
  constructor(private readonly enrolDevice: EnrolDevice) {}

  @Post()
  @HttpCode(200)
  async enrol(@Body() body: EnrolDeviceDto, @ProvenKey() authenticationKey: JsonWebKey): Promise<EnrolledDevice> {
    const signingCsr = body.signing_csr === undefined ? undefined : fromBase64(body.signing_csr);
    if (body.signing_csr !== undefined && !signingCsr) throw new InvalidRequest('`signing_csr` must be base64 of a DER PKCS#10 request.');
    const { deviceId, name, signingCertificate } = await this.enrolDevice.execute({
      activationCode: body.activation_code,
      name: body.name,
      platform: body.platform,
      signingCsr,
      pinProof: body.pin_proof,
      authenticationKey,
    });
    return {
      deviceId,
      name,
      ...(signingCertificate && {
        signingCertificate: signingCertificate.certificate.toString('base64'),
        certificateChain: signingCertificate.chain.map((certificate) => certificate.toString('base64')),
      }),
    };
  }

  @Get()
  show(@ProvenDevice() { deviceId, status, lockedUntil }: Device): DeviceView {
    return { deviceId, status, ...(lockedUntil !== undefined && { lockedUntil: epochSeconds(lockedUntil) }) };
  }
}
