import { type ClientId, type EndpointId, uuidOfName } from '#kernel';

/**
 * The types of messages that go to an address of the client's registration, in a form that a standard of OpenID Connect describes, and not to a webhook endpoint. They have the lanes,
 * retries and guard of webhooks.
 */
export const NOTICE_TYPES = ['openid.ping', 'openid.logout'] as const;

export type NoticeType = (typeof NOTICE_TYPES)[number];

export const isNotice = (type: string): boolean => (NOTICE_TYPES as readonly string[]).includes(type);

/** The endpoint that stands for the address: the same for each notice of that type to the client, so that it has one log and one limit. */
export const noticeEndpoint = (clientId: ClientId, type: NoticeType): EndpointId => uuidOfName<EndpointId>(type, clientId);
