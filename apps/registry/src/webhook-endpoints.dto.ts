import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

import { Optional } from '#service/http';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType, type WebhookTerms } from '#domain/relying-party';
import { LONGEST_WEBHOOK_URL } from '#domain/webhook';

import { StringList } from './string-list.js';

const KNOWN = { each: true, message: `event_types may hold ${WEBHOOK_EVENT_TYPES.join(', ')}` };
const EventTypes = (): PropertyDecorator =>
  applyDecorators(IsIn(WEBHOOK_EVENT_TYPES, KNOWN), ArrayUnique(), ArrayNotEmpty(), StringList(), Optional());

/** The end of the year 9999, so that a time in milliseconds is refused. */
const LATEST = 253_402_300_799;

/** What `libs/domain/webhook` checks, in the document. */
const URL_LIMITS = { maxLength: LONGEST_WEBHOOK_URL };

export class AddWebhookEndpointDto {
  /** The address of the receiver: https on port 443 or 8443, a public host, no user info, no fragment. */
  @ApiProperty(URL_LIMITS)
  @IsString()
  readonly url!: string;

  /** The event types that are sent to it. Absent: all. */
  @EventTypes()
  readonly event_types?: WebhookEventType[];

  /** Default: true. */
  @Optional()
  @IsBoolean()
  readonly enabled?: boolean;
}

/** Absent members stay unchanged. */
export class ChangeWebhookEndpointDto {
  /** The address of the receiver: https on port 443 or 8443, a public host, no user info, no fragment. */
  @ApiPropertyOptional(URL_LIMITS)
  @Optional()
  @IsString()
  readonly url?: string;

  /** The event types that are sent to it. */
  @EventTypes()
  readonly event_types?: WebhookEventType[];

  /** Events that happen while it is disabled are not sent, unless they are recovered. */
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

  /** The end of the period, not included. Default: now. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(LATEST)
  readonly until?: number;
}

export const newWebhookTermsOf = (body: AddWebhookEndpointDto): WebhookTerms => ({
  eventTypes: WEBHOOK_EVENT_TYPES,
  disabledBecause: null,
  ...changedWebhookTermsOf(body),
  url: body.url,
});

export const changedWebhookTermsOf = ({ url, event_types, enabled }: ChangeWebhookEndpointDto): Partial<WebhookTerms> => ({
  ...(url !== undefined && { url }),
  ...(event_types && { eventTypes: event_types }),
  ...(enabled !== undefined && { disabledBecause: enabled ? null : 'STAFF' }),
});
