import { Controller, Get, Query } from '@nestjs/common';

import { ClientNotFound, FindClient } from '#domain/relying-party';
import { type RecordedWebhook, RecordedWebhooks } from '#domain/webhook';
import { type ClientId, parseId } from '#kernel';

import { ALL, ListWebhooksDto } from './list-webhooks.dto.js';

interface ShownWebhooks {
  /** Oldest first. */
  readonly webhooks: readonly RecordedWebhook[];
}

@Controller('sandbox/v1/webhooks')
export class ListWebhooksController {
  constructor(
    private readonly findClient: FindClient,
    private readonly recorded: RecordedWebhooks,
  ) {}

  /** The requests of the client's webhooks: as they were sent to its endpoints, or, where it has none, as they would be, signed with the secret of the sandbox. */
  @Get()
  async list(@Query() { client_id: id, after = 0, limit = ALL }: ListWebhooksDto): Promise<ShownWebhooks> {
    const clientId = parseId<ClientId>(id);
    if (!clientId || !(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
    return { webhooks: this.recorded.of(clientId, after, limit) };
  }
}
