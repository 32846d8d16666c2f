import { IsString, Matches } from 'class-validator';

import { MaxCodePoints } from '#service/http';

/** The body of `PUT /clients/{clientId}/logo`. */
export class UploadLogoDto {
  /** Base64 of a PNG of at most 32 KiB, 32 to 512 pixels wide and high, not interlaced. */
  @IsString()
  @MaxCodePoints(43_692)
  readonly image!: string;
}

/** The body of `POST /clients/{clientId}/logo/approval`. */
export class ApproveLogoDto {
  /** The hash of the logo that the operator looked at. */
  @Matches(/^[0-9a-f]{64}$/, { message: 'must be 64 lower-case hex characters' })
  readonly hash!: string;
}
