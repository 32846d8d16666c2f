import { IsIn, IsInt, IsString, Matches } from 'class-validator';

import { MaxCodePoints, NotBlank, Optional } from '#http';

import { PIN_PROOF, PIN_PROOF_TEXT } from './enrol-device.dto.js';

export class ScanSessionDto {
  /** Of a dynamic QR code: seconds since the session began. */
  @Optional()
  @IsInt()
  readonly t?: number;

  /** Of a dynamic QR code: its authenticator. */
  @Optional()
  @IsString()
  @MaxCodePoints(255)
  readonly a?: string;

  /** The `returnUrl` of the QR code, as it stood there. */
  @Optional()
  @IsString()
  @MaxCodePoints(2000)
  readonly return_url?: string;

  /** How the phone came to the session. Absent: by the QR code. */
  @Optional()
  @IsIn(['qr', 'link', 'push'])
  readonly via?: 'qr' | 'link' | 'push';
}

export class PinDto {
  @Matches(PIN_PROOF, { message: PIN_PROOF_TEXT })
  readonly pin_proof!: string;

  /** Of a pushed session: the one of `verificationCodes` that the person chose. */
  @Optional()
  @IsString()
  @MaxCodePoints(2)
  readonly verification_code?: string;
}

export class ConfirmSessionDto extends PinDto {
  /** Base64, IEEE P1363, over the bytes of `toBeSigned`. */
  @IsString()
  @NotBlank()
  @MaxCodePoints(2000)
  readonly signature!: string;
}

export class DeclineSessionDto {
  @IsIn(['DECLINED', 'LEFT'])
  readonly reason!: 'DECLINED' | 'LEFT';
}
