import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import {
  AbandonedTokens,
  AddAdminToken,
  type Administrator,
  type AdminRole,
  type AdminTokenId,
  AdminTokenNotFound,
  type ListedAdminToken,
  ListAdminTokens,
  RevokeAdminToken,
  type TokenReach,
} from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import { type ClientId, epochSeconds, InvalidRequest } from '#kernel';

import { tokenRoutes } from './admin-rights.js';
import { CriticalChanges } from './critical-changes.js';
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
  /** What its holder may call. */
  readonly routes: readonly string[];
  /** The relying parties that its holder may call them for. Absent: all. */
  readonly clients?: readonly string[];
  /** Who has made it: the id of a token, `first-start`, or the subjectId of a person at the portal. */
  readonly madeBy: string;
  /** The person who has made the token has left the staff. Somebody else has to answer for it, or revoke it. */
  readonly makerLeft?: true;
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
    private readonly abandonedTokens: AbandonedTokens,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Post()
  async add(@Body() body: AddAdminTokenDto, @Principal() caller: Administrator, @Req() request: FastifyRequest): Promise<AddedToken> {
    const { name, role, expires_at } = body;
    const reach = reachOf(body);
    const expiresAt = expires_at * 1000;
    await this.addToken.requireFree(name);
    const lines = [
      `Token: ${name}, with the role ${role}, until ${new Date(expiresAt).toISOString()}`,
      `Relying parties: ${reach.clients?.join(', ') ?? 'all'}`,
      ...reach.routes.map((route) => `Route: ${route}`),
    ];
    await this.criticalChanges.require(request, caller, { title: `New admin token ${name} (${role})`, lines, touched: { tokens: true } });
    const { tokenId, token } = await this.addToken.execute({ name, role, ...reach, expiresAt, by: caller.id });
    return { tokenId, token: token.reveal() };
  }

  @Get()
  async list(@Query() { limit, after }: PageDto): Promise<TokenPage> {
    const [tokens, abandoned] = await Promise.all([this.listTokens.execute(), this.abandonedTokens.find()]);
    const begin = after === undefined ? 0 : tokens.findIndex(({ tokenId }) => tokenId === after.toLowerCase()) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const page = tokens.slice(begin, begin + limit);
    const last = page.at(-1);
    return {
      adminTokens: page.map((token) => ({ ...shown(token), ...(abandoned.has(token.tokenId) && { makerLeft: true as const }) })),
      ...(last && begin + limit < tokens.length && { next: last.tokenId }),
    };
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async revoke(
    @Param('tokenId', new PathId(() => new AdminTokenNotFound('no UUID'))) tokenId: AdminTokenId,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const token = (await this.listTokens.execute()).find((each) => each.tokenId === tokenId);
    if (!token) throw new AdminTokenNotFound('no such token');
    const lines = [`Token: ${token.name} (${tokenId}), with the role ${token.role}`];
    await this.criticalChanges.require(request, caller, { title: `Revoke the admin token ${token.name}`, lines, touched: {} });
    return this.revokeToken.execute(tokenId);
  }
}

/** Throws InvalidRequest for a route that no token of the role may have. */
const reachOf = ({ role, routes, clients }: AddAdminTokenDto): TokenReach => {
  const { usual, named } = tokenRoutes(role);
  const unknown = routes?.find((route) => !named.includes(route));
  if (unknown !== undefined)
    throw new InvalidRequest(`a token of the role ${role} cannot have the route in \`routes\`[${routes?.indexOf(unknown) ?? 0}].`);
  const explicit = routes && ({ named: true } as const);
  if (!clients) return { routes: routes ?? usual, ...explicit };
  const isOfClient = (route: string): boolean => route.includes('/:clientId');
  const foreign = routes?.find((route) => !isOfClient(route));
  if (foreign !== undefined)
    throw new InvalidRequest(`the route in \`routes\`[${routes?.indexOf(foreign) ?? 0}] is not about one relying party; leave \`clients\` out.`);
  return { routes: routes ?? usual.filter(isOfClient), clients: clients.map((clientId) => clientId.toLowerCase() as ClientId), ...explicit };
};

const shown = ({ addedAt, expiresAt, revokedAt, by, named: _, ...token }: ListedAdminToken): ShownToken => ({
  ...token,
  madeBy: by,
  addedAt: epochSeconds(addedAt),
  expiresAt: epochSeconds(expiresAt),
  ...(revokedAt !== undefined && { revokedAt: epochSeconds(revokedAt) }),
});
