import { IsString } from 'class-validator';

import { Optional } from '#http';
import type { PersonalData } from '#identity';

/** The body of `POST /identities`. `libs/identity` checks the values. */
export class RegisterIdentityDto {
  /** 1 to 64 characters. */
  @IsString()
  readonly given_name!: string;

  /** 1 to 64 characters. */
  @IsString()
  readonly family_name!: string;

  /** 1 to 32 characters of A-Z a-z 0-9 -. Unique within a country. */
  @IsString()
  readonly personal_code!: string;

  /** YYYY-MM-DD, from 1850 to today. */
  @IsString()
  readonly date_of_birth!: string;

  /** ISO 3166-1 alpha-2. */
  @IsString()
  readonly country!: string;

  /** At most 254 characters. */
  @Optional()
  @IsString()
  readonly email?: string;

  /** E.164, with the leading +. */
  @Optional()
  @IsString()
  readonly phone_number?: string;
}

/** What names a person once. */
export class FindPersonDto {
  /** ISO 3166-1 alpha-2. */
  @IsString()
  readonly country!: string;

  /** As at the registration. Upper and lower case count as equal. */
  @IsString()
  readonly personal_code!: string;
}

export const personalDataOf = (body: RegisterIdentityDto): PersonalData => ({
  givenName: body.given_name,
  familyName: body.family_name,
  personalCode: body.personal_code,
  dateOfBirth: body.date_of_birth,
  country: body.country,
  ...(body.email !== undefined && { email: body.email }),
  ...(body.phone_number !== undefined && { phoneNumber: body.phone_number }),
});
