import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { PathId } from '#http';
import type { ClientId } from '#kernel';
import { ChangeClient, type Client, ClientNotFound, type ClientTerms, FindClient, ListClients, RegisterClient } from '#relying-party';

import { ChangeClientDto, RegisterClientDto } from './clients.dto.js';
import { PageDto } from './page.dto.js';
import { pageRequest } from './page.js';

export const ClientIdParam = (): ParameterDecorator => Param('clientId', new PathId(() => new ClientNotFound('no UUID')));

interface RegisteredClient {
  readonly clientId: string;
  /** Shown this once. */
  readonly clientSecret: string;
}

interface ClientPage {
  readonly clients: readonly Client[];
  /** Ask the next page with it as `after`; absent on the last one. */
  readonly next?: string;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients')
export class ClientsController {
  constructor(
    private readonly registerClient: RegisterClient,
    private readonly listClients: ListClients,
    private readonly findClient: FindClient,
    private readonly changeClient: ChangeClient,
  ) {}

  @Post()
  async register(@Body() body: RegisterClientDto): Promise<RegisteredClient> {
    const terms = { name: body.name, redirectUris: body.redirect_uris, allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
    const { clientId, clientSecret } = await this.registerClient.execute({ ...terms, ...termsOf(body) });
    return { clientId, clientSecret: clientSecret.reveal() };
  }

  @Get()
  list(@Query() page: PageDto): ClientPage {
    const { entries, ...next } = this.listClients.execute(pageRequest<ClientId>(page));
    return { clients: entries, ...next };
  }

  @Get(':clientId')
  async show(@ClientIdParam() clientId: ClientId): Promise<Client> {
    const client = await this.findClient.execute(clientId);
    if (!client) throw new ClientNotFound('no such client');
    return client;
  }

  @Patch(':clientId')
  change(@ClientIdParam() clientId: ClientId, @Body() body: ChangeClientDto): Promise<Client> {
    return this.changeClient.execute(clientId, termsOf(body));
  }
}

const termsOf = (body: ChangeClientDto): Partial<ClientTerms> => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
  ...(body.allowed_attributes && { allowedAttributes: body.allowed_attributes }),
  ...(body.allowed_predicates && { allowedPredicates: body.allowed_predicates }),
  ...(body.dynamic_qr !== undefined && { dynamicQr: body.dynamic_qr }),
});
