import { assertNever, type Decider, InvalidRequest } from '#kernel';

import { AdminTokenNameTaken, AdminTokenNotFound } from './admin-token.errors.js';
import { ADMIN_TOKEN_EVENTS, type AdminTokenEvent, type AdminTokenId, type NewAdminToken } from './admin-token.events.js';

/** A named token of the admin API. Times are epoch milliseconds. */
export interface AdminToken extends NewAdminToken {
  readonly addedAt: number;
  readonly revokedAt?: number;
}

/** Every token that was ever added, in this order: the audit trail names their ids. */
export interface AdminTokens {
  readonly tokens: readonly AdminToken[];
}

export type AdminTokenCommand =
  | ({ readonly type: 'AddAdminToken'; readonly now: number } & NewAdminToken)
  | { readonly type: 'RevokeAdminToken'; readonly now: number; readonly tokenId: AdminTokenId };

/** How long a token may be valid, in milliseconds: 400 days, so that a yearly change has some slack. */
const LONGEST_LIFE = 400 * 24 * 3_600_000;
const MOST_VALID = 100;
/** A name for a machine or a post. The store shows it in clear, so it is no place for a person's name. */
export const TOKEN_NAME = /^[a-z0-9][a-z0-9._-]{2,63}$/;

/** Whether the token lets its holder in at this time. One that is stored without the routes that it was made for lets no one in. */
export const isValid = ({ expiresAt, revokedAt, routes }: AdminToken, now: number): boolean =>
  revokedAt === undefined && now < expiresAt && Array.isArray(routes);

export const adminTokenDecider: Decider<AdminTokens, AdminTokenCommand, AdminTokenEvent> = {
  initial: { tokens: [] },
  knows: ADMIN_TOKEN_EVENTS,
  decide: (command, state) => {
    switch (command.type) {
      case 'AddAdminToken':
        return add(command, state);
      case 'RevokeAdminToken':
        return revoke(command, state);
      default:
        return assertNever(command);
    }
  },
  evolve: ({ tokens }, event) => {
    switch (event.type) {
      case 'AdminTokenAdded': {
        const { at: addedAt, ...token } = event.data;
        return { tokens: [...tokens, { ...token, addedAt }] };
      }
      case 'AdminTokenRevoked': {
        const { tokenId, at: revokedAt } = event.data;
        return { tokens: tokens.map((token) => (token.tokenId === tokenId ? { ...token, revokedAt } : token)) };
      }
      default:
        return assertNever(event);
    }
  },
};

/** For the name of a valid token. */
export const nameTaken = (): AdminTokenNameTaken => new AdminTokenNameTaken('the name of a valid token', 'Another valid token has this name.');

const add = ({ type: _, now, ...token }: AdminTokenCommand & { type: 'AddAdminToken' }, { tokens }: AdminTokens): AdminTokenEvent[] => {
  if (!TOKEN_NAME.test(token.name)) throw new InvalidRequest('`name` must have 3 to 64 of a-z 0-9 . _ - and begin with a letter or a digit.');
  if (token.expiresAt <= now) throw new InvalidRequest('`expires_at` must lie in the future.');
  if (token.expiresAt > now + LONGEST_LIFE) throw new InvalidRequest('`expires_at` must lie within 400 days.');
  if (token.routes.length === 0)
    throw new InvalidRequest('The token would have no route: `role` and `routes` have none in common that a token may have.');
  const valid = tokens.filter((other) => isValid(other, now));
  if (valid.some(({ name }) => name === token.name)) throw nameTaken();
  if (valid.length >= MOST_VALID) throw new InvalidRequest(`There are ${MOST_VALID} valid tokens already; revoke one first.`);
  return [{ type: 'AdminTokenAdded', data: { at: now, ...token } }];
};

const revoke = ({ now, tokenId }: AdminTokenCommand & { type: 'RevokeAdminToken' }, { tokens }: AdminTokens): AdminTokenEvent[] => {
  const token = tokens.find((each) => each.tokenId === tokenId);
  if (!token) throw new AdminTokenNotFound('no such token');
  return token.revokedAt === undefined ? [{ type: 'AdminTokenRevoked', data: { at: now, tokenId } }] : [];
};
