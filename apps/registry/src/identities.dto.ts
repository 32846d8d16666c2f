import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';

import { Optional } from '#service/http';
import { PERSONAL_DATA_LIMITS, type PersonalData } from '#domain/identity';

/** What `libs/domain/identity` checks, in the document. */
const NAME = { maxLength: PERSONAL_DATA_LIMITS.longestName };
const COUNTRY = { pattern: '^[A-Z]{2}$' };

/** The body of `POST /identities`. `libs/domain/identity` checks the values. */
export class RegisterIdentityDto {
  /** At most 32,768 characters. Empty or absent where the person has one name, which is `family_name`. */
  @ApiPropertyOptional(NAME)
  @Optional()
  @IsString()
  readonly given_name?: string;

  /** At most 32,768 characters. Empty or absent where the person has one name, which is `given_name`. */
  @ApiPropertyOptional(NAME)
  @Optional()
  @IsString()
  readonly family_name?: string;

  /** 1 to 32 characters of A-Z a-z 0-9 - +. Unique within a country. */
  @ApiProperty({ pattern: PERSONAL_DATA_LIMITS.personalCode.source })
  @IsString()
  readonly personal_code!: string;

  /** YYYY-MM-DD, from 1850 to today; or the known part, YYYY-MM or YYYY. Absent where nothing is known. */
  @ApiPropertyOptional({ pattern: PERSONAL_DATA_LIMITS.dateOfBirth.source })
  @Optional()
  @IsString()
  readonly date_of_birth?: string;

  /** ISO 3166-1 alpha-2, or XK. */
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
  givenName: body.given_name ?? '',
  familyName: body.family_name ?? '',
  personalCode: body.personal_code,
  ...(body.date_of_birth !== undefined && { dateOfBirth: body.date_of_birth }),
  country: body.country,
  ...(body.email !== undefined && { email: body.email }),
  ...(body.phone_number !== undefined && { phoneNumber: body.phone_number }),
});
