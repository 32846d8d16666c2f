import { Type } from 'class-transformer';
import { IsNumber, IsObject, IsString, Matches, ValidateNested } from 'class-validator';

import { MaxCodePoints, Optional } from '#service/http';

class PushKeysDto {
  /** The browser's key: an uncompressed point of P-256 (RFC 8291). */
  @Matches(/^[A-Za-z0-9_-]{87}$/, { message: 'must be 65 bytes in base64url' })
  readonly p256dh!: string;

  /** The authentication secret (RFC 8291). */
  @Matches(/^[A-Za-z0-9_-]{22}$/, { message: 'must be 16 bytes in base64url' })
  readonly auth!: string;
}

/** The members of a browser's PushSubscription (Push API). */
export class PushSubscriptionDto {
  /** The address of the push service for this browser: https, public. */
  @IsString()
  @MaxCodePoints(2000)
  readonly endpoint!: string;

  /** Not used: the push service says when a subscription has ended. */
  @Optional()
  @IsNumber()
  readonly expirationTime?: number;

  @IsObject()
  @ValidateNested()
  @Type(() => PushKeysDto)
  readonly keys!: PushKeysDto;
}
