import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';

import { Optional } from '#service/http';
import { PERSONAL_DATA_LIMITS, type PersonalData } from '#domain/identity';

/** What `libs/domain/identity` checks, in the document. */
const NAME = { minLength: 1, maxLength: PERSONAL_DATA_LIMITS.longestName };
const COUNTRY = { pattern: '^[A-Z]{2}$' };

/** The body of `POST /identities`. `libs/domain/identity` checks the values. */
export class RegisterIdentityDto {
  /** 1 to 64 characters. */
  @ApiProperty(NAME)
  @IsString()
  readonly given_name!: string;

  /** 1 to 64 characters. */
  @ApiProperty(NAME)
  @IsString()
  readonly family_name!: string;

  /** 1 to 32 characters of A-Z a-z 0-9 -. Unique within a country. */
  @ApiProperty({ pattern: PERSONAL_DATA_LIMITS.personalCode.source })
  @IsString()
  readonly personal_code!: string;

  /** YYYY-MM-DD, from 1850 to today. */
  @ApiProperty({ format: 'date' })
  @IsString()
  readonly date_of_birth!: string;

  /** ISO 3166-1 alpha-2. */
  @ApiProperty(COUNTRY)
  @IsString()
  readonly country!: string;

  /** At most 254 characters. */
  @ApiPropertyOptional({ maxLength: PERSONAL_DATA_LIMITS.longestEmail, pattern: PERSONAL_DATA_LIMITS.email.source })
  @Optional()
  @IsString()
  readonly email?: string;

  /** E.164, with the leading +. */
  @ApiPropertyOptional({ pattern: PERSONAL_DATA_LIMITS.phoneNumber.source })
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
