import { IsString } from 'class-validator';

import { Optional } from '#http';

/** The rules of the values stand in `#identity`. */
export class RegisterIdentityDto {
  /** 1 to 64 characters. */
  @IsString()
  readonly given_name!: string;

  /** 1 to 64 characters. */
  @IsString()
  readonly family_name!: string;

  /** 1 to 32 characters of A-Z a-z 0-9 -. One person has one code in a country. */
  @IsString()
  readonly personal_code!: string;

  /** YYYY-MM-DD. */
  @IsString()
  readonly date_of_birth!: string;

  /** ISO 3166-1 alpha-2. */
  @IsString()
  readonly country!: string;

  @Optional()
  @IsString()
  readonly email?: string;

  /** E.164, with the leading +. */
  @Optional()
  @IsString()
  readonly phone_number?: string;
}
