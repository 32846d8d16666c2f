import { IsString } from 'class-validator';

import { MaxCodePoints } from '#service/http';

export class LogInDto {
  /** The address to which the relying party sends the browser: of the login page, or of the authorization endpoint of OpenID Connect. */
  @IsString()
  @MaxCodePoints(8000)
  readonly url!: string;
}
