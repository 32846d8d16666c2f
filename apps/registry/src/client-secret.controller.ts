import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { Route } from '#http';
import type { ClientId } from '#kernel';
import { IssueSecret } from '#relying-party';

import { ClientIdParam } from './clients.controller.js';

interface IssuedSecret {
  /** Returned only here. The previous secret is invalid. */
  readonly clientSecret: string;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/secret')
export class ClientSecretController {
  constructor(private readonly issueSecret: IssueSecret) {}

  @Post()
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async issue(@ClientIdParam() clientId: ClientId): Promise<IssuedSecret> {
    return { clientSecret: (await this.issueSecret.execute(clientId)).reveal() };
  }
}
