import { ArrayNotEmpty, ArrayUnique, IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

import { Optional } from '#http';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#relying-party';

import { StringList } from './string-list.js';

const KNOWN = { each: true, message: `event_types may hold ${WEBHOOK_EVENT_TYPES.join(', ')}` };
/** The year 9999: a time that is meant in milliseconds is found out. */
const LATEST = 253_402_300_799;

export class AddWebhookEndpointDto {
  /** Where messages go: https on port 443 or 8443, a public host, no user info, no fragment. */
  @IsString()
  readonly url!: string;

  /** Which events it is told. Absent: all. */
  @Optional()
  @StringList()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, KNOWN)
  readonly event_types?: WebhookEventType[];

  /** Default: true. */
  @Optional()
  @IsBoolean()
  readonly enabled?: boolean;
}

/** What is absent stays as it is. */
export class ChangeWebhookEndpointDto {
  /** Where messages go: https on port 443 or 8443, a public host, no user info, no fragment. */
  @Optional()
  @IsString()
  readonly url?: string;

  /** Which events it is told. */
  @Optional()
  @StringList()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, KNOWN)
  readonly event_types?: WebhookEventType[];

  /** What happens while it is not enabled is not sent, unless it is recovered. */
  @Optional()
  @IsBoolean()
  readonly enabled?: boolean;
}

/** A span of time, in epoch seconds. */
export class RecoverDto {
  @IsInt()
  @Min(0)
  @Max(LATEST)
  readonly since!: number;

  /** Not included. Absent: now. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(LATEST)
  readonly until?: number;
}
