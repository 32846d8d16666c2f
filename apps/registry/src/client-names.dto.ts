import { IsString } from 'class-validator';

import { CLIENT_LIMITS } from '#domain/relying-party';
import { MaxCodePoints, NotBlank } from '#service/http';

/** The query of `GET /client-names`. */
export class CloseNamesDto {
  /** The name that a client is to have. */
  @IsString()
  @NotBlank()
  @MaxCodePoints(CLIENT_LIMITS.longestName)
  readonly near!: string;
}
