import { type Brand, type ClientId, type DomainEvent, knownEvents } from '#kernel';

import type { AdminRole } from './administrator.js';

export type AdminTokenId = Brand<string, 'AdminTokenId'>;

/** A token as it is made. Times are epoch milliseconds. */
export type NewAdminToken = {
  readonly tokenId: AdminTokenId;
  readonly name: string;
  readonly role: AdminRole;
  /** base64url of the SHA-256 of the token's text. */
  readonly hash: string;
  readonly expiresAt: number;
  /** The routes that its holder may call, each as `<method> <pattern>`. */
  readonly routes: readonly string[];
  /** The relying parties that its holder may call them for. Absent: all. */
  readonly clients?: readonly ClientId[];
  /** Whether the routes were named when it was made. Absent: they are those of its role, for what is not critical. */
  readonly named?: true;
  /** The administrator whose request made it. */
  readonly by: string;
};

/** The events of the stream `admintokens-all`. Times are epoch milliseconds. */
export type AdminTokenEvent =
  | DomainEvent<'AdminTokenAdded', { readonly at: number } & NewAdminToken>
  | DomainEvent<'AdminTokenRevoked', { readonly at: number; readonly tokenId: AdminTokenId }>;

export const ADMIN_TOKEN_EVENTS = knownEvents<AdminTokenEvent>(1, { AdminTokenAdded: true, AdminTokenRevoked: true });
