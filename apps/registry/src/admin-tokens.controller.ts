import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import {
  AddAdminToken,
  type Administrator,
  type AdminRole,
  type AdminTokenId,
  AdminTokenNotFound,
  type ListedAdminToken,
  ListAdminTokens,
  RevokeAdminToken,
} from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import { epochSeconds, InvalidRequest } from '#kernel';

import { AddAdminTokenDto } from './admin-tokens.dto.js';
import { PageDto } from './page.dto.js';
import type { Paged } from './page.js';

interface AddedToken {
  readonly tokenId: string;
  /** Returned only here. The service stores its hash. */
  readonly token: string;
}

interface ShownToken {
  readonly tokenId: string;
  readonly name: string;
  readonly role: AdminRole;
  /** Epoch seconds. */
  readonly addedAt: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Epoch seconds. */
  readonly revokedAt?: number;
}

interface TokenPage extends Paged {
  /** Revoked ones too, oldest first. */
  readonly adminTokens: readonly ShownToken[];
}

/** The named tokens of this API (specification/admin.md#admin-tokens). */
@ApiBearerAuth('admin')
@Controller('admin/v1/admin-tokens')
export class AdminTokensController {
  constructor(
    private readonly addToken: AddAdminToken,
    private readonly listTokens: ListAdminTokens,
    private readonly revokeToken: RevokeAdminToken,
  ) {}

  @Post()
  async add(@Body() { name, role, expires_at }: AddAdminTokenDto, @Principal() { id }: Administrator): Promise<AddedToken> {
    const { tokenId, token } = await this.addToken.execute({ name, role, expiresAt: expires_at * 1000, by: id });
    return { tokenId, token: token.reveal() };
  }

  @Get()
  async list(@Query() { limit, after }: PageDto): Promise<TokenPage> {
    const tokens = await this.listTokens.execute();
    const begin = after === undefined ? 0 : tokens.findIndex(({ tokenId }) => tokenId === after.toLowerCase()) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const page = tokens.slice(begin, begin + limit);
    const last = page.at(-1);
    return { adminTokens: page.map(shown), ...(last && begin + limit < tokens.length && { next: last.tokenId }) };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  revoke(@Param('tokenId', new PathId(() => new AdminTokenNotFound('no UUID'))) tokenId: AdminTokenId): Promise<void> {
    return this.revokeToken.execute(tokenId);
  }
}

const shown = ({ addedAt, expiresAt, revokedAt, ...token }: ListedAdminToken): ShownToken => ({
  ...token,
  addedAt: epochSeconds(addedAt),
  expiresAt: epochSeconds(expiresAt),
  ...(revokedAt !== undefined && { revokedAt: epochSeconds(revokedAt) }),
});
