import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import { Principal, Route } from '#service/http';
import { type ClientId, epochSeconds } from '#kernel';
import { ClientNotFound, FindSecretAge, IssueSecret } from '#domain/relying-party';
import { ListSessions } from '#domain/session';

import { ChangedClients } from './changed-clients.js';
import { CriticalChanges } from './critical-changes.js';
import { ClientIdParam } from './clients.controller.js';

interface IssuedSecret {
  /** Returned only here. The previous secret is invalid. */
  readonly clientSecret: string;
}

/** Times in epoch seconds. */
interface SecretUse {
  /** Epoch seconds. */
  readonly issuedAt: number;
  /** Epoch seconds. Absent if no stored session began with it. */
  readonly lastUsedAt?: number;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/secret')
export class ClientSecretController {
  constructor(
    private readonly issueSecret: IssueSecret,
    private readonly findSecretAge: FindSecretAge,
    private readonly listSessions: ListSessions,
    private readonly clients: ChangedClients,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  /** Since when the secret is in use, and when a session was last begun with it: every session is (specification/admin.md#secrets). */
  @Get()
  async use(@ClientIdParam() clientId: ClientId): Promise<SecretUse> {
    const issuedAt = await this.findSecretAge.execute(clientId);
    if (issuedAt === undefined) throw new ClientNotFound('no such client');
    const { entries } = await this.listSessions.execute({ clientId, since: issuedAt }, { limit: 1 });
    const [last] = entries;
    return { issuedAt: epochSeconds(issuedAt), ...(last && { lastUsedAt: epochSeconds(last.createdAt) }) };
  }

  @Post()
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async issue(@ClientIdParam() clientId: ClientId, @Principal() caller: Administrator, @Req() request: FastifyRequest): Promise<IssuedSecret> {
    const { name } = await this.clients.get(clientId);
    const change = { title: `${name}: new client secret`, lines: [`Relying party: ${name} (${clientId})`], touched: { client: clientId } };
    await this.criticalChanges.require(request, caller, change);
    return { clientSecret: (await this.issueSecret.execute(clientId)).reveal() };
  }
}
