import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import type { ClientId } from '#kernel';
import { ClientNotFound, FindClient } from '#domain/relying-party';
import { type FunnelDay, ReadLoginFunnel } from '#domain/session';

import { ClientIdParam } from './clients.controller.js';

interface LoginFunnel {
  /** The oldest first, today last. */
  readonly days: readonly FunnelDay[];
}

/** How far the logins of a client came, and why not further (specification/admin.md#login-funnel). */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/login-funnel')
export class LoginFunnelController {
  constructor(
    private readonly findClient: FindClient,
    private readonly readFunnel: ReadLoginFunnel,
  ) {}

  @Get()
  async show(@ClientIdParam() clientId: ClientId): Promise<LoginFunnel> {
    if (!(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
    return { days: await this.readFunnel.execute(clientId) };
  }
}
