import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';

import { digitsToNumber, MaxCodePoints, NotBlank, Optional } from '#service/http';

import { PIN_PROOF, PIN_PROOF_TEXT } from './enrol-device.dto.js';

/** 2049-12-31T23:59:59Z, the last second of a UTCTime. */
const MAX_TIME = 2_524_607_999;

export class PreviewSessionDto {
  /** For a dynamic QR code: seconds since the session began. */
  @Optional()
  @Transform(digitsToNumber)
  @IsInt()
  readonly t?: number;

  /** For a dynamic QR code: the authenticator in the code. */
  @Optional()
  @IsString()
  @MaxCodePoints(255)
  readonly a?: string;
}

export class ScanSessionDto {
  /** For a dynamic QR code: seconds since the session began. */
  @Optional()
  @IsInt()
  readonly t?: number;

  /** For a dynamic QR code: the authenticator in the code. */
  @Optional()
  @IsString()
  @MaxCodePoints(255)
  readonly a?: string;

  /** For a dynamic QR code, in place of `t` and `a`: the `admission` of the preview. */
  @Optional()
  @IsString()
  @MaxCodePoints(255)
  readonly admission?: string;

  /** The `returnUrl`, exactly as in the QR code. */
  @Optional()
  @IsString()
  @MaxCodePoints(2000)
  readonly return_url?: string;

  /** Whether the phone shows `details` to the person before the PIN. Without it a session that has them is refused: `details_not_shown`. */
  @Optional()
  @IsBoolean()
  readonly shows_details?: boolean;

  /** How the phone found the session. Default: by the QR code. */
  @Optional()
  @IsIn(['qr', 'link', 'push'])
  readonly via?: 'qr' | 'link' | 'push';
}

export class PinDto {
  /** The HMAC-SHA-256 of the PIN by the key of the device: 43 characters of base64url. */
  @Matches(PIN_PROOF, { message: PIN_PROOF_TEXT })
  readonly pin_proof!: string;

  /** For a pushed session: the one of `verificationCodes` that the person chose. */
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

  /** For SIGNING: the signing-time that the phone has put into `toBeSigned`, epoch seconds. It is the `signingTime` of the answer to the PIN. Absent if the phone signs `toBeSigned` as it came. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_TIME)
  readonly signing_time?: number;
}

export class DeclineSessionDto {
  @IsIn(['DECLINED', 'LEFT'])
  readonly reason!: 'DECLINED' | 'LEFT';
}
