import { IsString, Matches } from 'class-validator';

import { MaxCodePoints, NotBlank } from '#service/http';
import { PKCE_VALUE } from '#domain/session';

/** The body of POST token (specification/relying-party.md#post-token). */
export class ExchangeTokenDto {
  /** The code that the completion answered, or that came with the redirect: at most 255 characters. */
  @IsString()
  @NotBlank()
  @MaxCodePoints(255)
  readonly code!: string;

  /** RFC 7636 section 4.1: 43 to 128 characters of A-Z a-z 0-9 - . _ ~ */
  @Matches(PKCE_VALUE, { message: 'must be 43 to 128 characters from A-Z a-z 0-9 - . _ ~' })
  readonly code_verifier!: string;
}
