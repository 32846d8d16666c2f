import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { Route } from '#service/http';
import type { ClientId } from '#kernel';
import { type Client, EnableClient } from '#domain/relying-party';

import { ClientIdParam } from './clients.controller.js';

/** Disables a client, or enables it again (specification/admin.md#disabled-clients). */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId')
export class ClientStateController {
  constructor(private readonly enableClient: EnableClient) {}

  @Post('disable')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  disable(@ClientIdParam() clientId: ClientId): Promise<Client> {
    return this.enableClient.execute(clientId, false);
  }

  @Post('enable')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  enable(@ClientIdParam() clientId: ClientId): Promise<Client> {
    return this.enableClient.execute(clientId, true);
  }
}
