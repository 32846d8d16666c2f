import { IsString, Matches } from 'class-validator';

import { CodePoints, MaxCodePoints, NoControlCharacters, NotBlank, Optional, WellFormedText } from '#service/http';

/** base64url, without padding, of an HMAC-SHA-256. */
export const PIN_PROOF = /^[A-Za-z0-9_-]{43}$/;
export const PIN_PROOF_TEXT = 'must be 43 characters of base64url, the HMAC-SHA-256 of the PIN';

export class ActivationCodeDto {
  /** Single-use, from the registration of the person. */
  @IsString()
  @NotBlank()
  @MaxCodePoints(255)
  readonly activation_code!: string;
}

export class EnrolDeviceDto extends ActivationCodeDto {
  /** The owner's name for the device. */
  @IsString()
  @NotBlank()
  @CodePoints(1, 64)
  @NoControlCharacters()
  @WellFormedText()
  readonly name!: string;

  /** The system of the device: 1 to 64 characters. */
  @IsString()
  @NotBlank()
  @CodePoints(1, 64)
  @NoControlCharacters()
  @WellFormedText()
  readonly platform!: string;

  /** Base64 of a DER PKCS#10 request (RFC 2986): P-256, P-384 or RSA of at least 3072 bits. Optional where the service signs nothing. */
  @Optional()
  @IsString()
  @NotBlank()
  @MaxCodePoints(22_000)
  readonly signing_csr?: string;

  /** The HMAC-SHA-256 of the PIN by the key of the device: 43 characters of base64url. */
  @Matches(PIN_PROOF, { message: PIN_PROOF_TEXT })
  readonly pin_proof!: string;
}

export class RenewCertificateDto {
  /** Base64 of a DER PKCS#10 request (RFC 2986) of the key that the present certificate is for. */
  @IsString()
  @NotBlank()
  @MaxCodePoints(22_000)
  readonly signing_csr!: string;
}
