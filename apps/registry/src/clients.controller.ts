import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import type { Administrator } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import type { ClientId } from '#kernel';
import {
  ChangeClient,
  type Client,
  ClientConsent,
  ClientNotFound,
  DeleteClient,
  FindClient,
  ListClients,
  RegisterClient,
} from '#domain/relying-party';

import { fieldsOfMembers, FIELDS_WITH_CONSENT } from './admin-rights.js';
import { ChangeClientDto, changedClientTermsOf, newClientTermsOf, RegisterClientDto } from './clients.dto.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';
import { requireFields } from './require-right.js';

export const ClientIdParam = (): ParameterDecorator => Param('clientId', new PathId(() => new ClientNotFound('no UUID')));

interface RegisteredClient {
  readonly clientId: string;
  /** Returned only here. The service stores its hash. */
  readonly clientSecret: string;
}

interface ClientPage extends Paged {
  readonly clients: readonly Client[];
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients')
export class ClientsController {
  constructor(
    private readonly registerClient: RegisterClient,
    private readonly listClients: ListClients,
    private readonly findClient: FindClient,
    private readonly changeClient: ChangeClient,
    private readonly deleteClient: DeleteClient,
    private readonly consent: ClientConsent,
  ) {}

  @Post()
  async register(@Body() body: RegisterClientDto): Promise<RegisteredClient> {
    const { clientId, clientSecret } = await this.registerClient.execute(newClientTermsOf(body));
    return { clientId, clientSecret: clientSecret.reveal() };
  }

  @Get()
  async list(@Query() page: PageDto): Promise<ClientPage> {
    const { entries, ...next } = await this.listClients.execute(pageRequest<ClientId>(page));
    return { clients: entries, ...next };
  }

  @Get(':clientId')
  async show(@ClientIdParam() clientId: ClientId): Promise<Client> {
    const client = await this.findClient.execute(clientId);
    if (!client) throw new ClientNotFound('no such client');
    return client;
  }

  @Patch(':clientId')
  async change(@ClientIdParam() clientId: ClientId, @Body() body: ChangeClientDto, @Principal() caller: Administrator): Promise<Client> {
    const changes = changedClientTermsOf(body);
    if (caller.roles.includes('operator')) return this.changeClient.execute(clientId, changes);
    // A caller who is no operator came here as a member.
    const { consent } = this;
    requireFields(body, consent.isRequired ? FIELDS_WITH_CONSENT : fieldsOfMembers(body));
    return consent.isRequired ? consent.ask(clientId, changes, caller.id) : this.changeClient.execute(clientId, changes);
  }

  @Delete(':clientId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  remove(@ClientIdParam() clientId: ClientId): Promise<void> {
    return this.deleteClient.execute(clientId);
  }
}
