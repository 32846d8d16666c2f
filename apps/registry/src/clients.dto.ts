import { Equals, IsBoolean, IsString } from 'class-validator';

import { Optional } from '#http';

import { StringList } from './string-list.js';

const NOT_YET = { message: 'is not available yet; leave it out or send false' };

/** The rules of the values stand in `#relying-party`. */
export class RegisterClientDto {
  /** What people see on their phone: 3 to 64 characters, unique. */
  @IsString()
  readonly name!: string;

  /** Compared exactly; https, or http on loopback. */
  @StringList()
  readonly redirect_uris!: string[];

  /** What a session of the client may ask about a person. Absent: nothing. */
  @Optional()
  @StringList()
  readonly allowed_attributes?: string[];

  /** `ageOver18`, `countryIsEE`, …; `ageOver*` stands for every age. Absent: none. */
  @Optional()
  @StringList()
  readonly allowed_predicates?: string[];

  /** A QR code that changes each second. */
  @Optional()
  @IsBoolean()
  @Equals(false, NOT_YET)
  readonly dynamic_qr?: boolean;
}

/** What is absent stays as it is. */
export class ChangeClientDto {
  /** What people see on their phone: 3 to 64 characters, unique. */
  @Optional()
  @IsString()
  readonly name?: string;

  /** Compared exactly; https, or http on loopback. */
  @Optional()
  @StringList()
  readonly redirect_uris?: string[];

  /** What a session of the client may ask about a person. */
  @Optional()
  @StringList()
  readonly allowed_attributes?: string[];

  /** `ageOver18`, `countryIsEE`, …; `ageOver*` stands for every age. */
  @Optional()
  @StringList()
  readonly allowed_predicates?: string[];

  /** A QR code that changes each second. */
  @Optional()
  @IsBoolean()
  @Equals(false, NOT_YET)
  readonly dynamic_qr?: boolean;
}
