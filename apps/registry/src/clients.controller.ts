import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

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
import { ReachableNetworks } from '#domain/webhook';

import { fieldsOfMembers, unprotects } from './admin-rights.js';
import { ChangedClients } from './changed-clients.js';
import { checkAddresses } from './client-settings.dto.js';
import { ChangeClientDto, changedClientTermsOf, newClientTermsOf, RegisterClientDto } from './clients.dto.js';
import { CriticalChanges } from './critical-changes.js';
import { criticalWords } from './critical-words.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';
import { requireFields, teamRoleOf } from './require-right.js';

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
    private readonly clients: ChangedClients,
    private readonly criticalChanges: CriticalChanges,
    private readonly networks: ReachableNetworks,
  ) {}

  @Post()
  async register(@Body() body: RegisterClientDto): Promise<RegisteredClient> {
    checkAddresses(body, this.networks);
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
  async change(
    @ClientIdParam() clientId: ClientId,
    @Body() body: ChangeClientDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<Client> {
    checkAddresses(body, this.networks);
    const changes = changedClientTermsOf(body);
    const { consent } = this;
    const isOperator = caller.roles.includes('operator');
    // A caller who is no operator came here as a member.
    if (!isOperator) requireFields(body, fieldsOfMembers(body, teamRoleOf(caller, clientId) ?? 'viewer', consent.isRequired));
    const client = await this.clients.get(clientId);
    const words = criticalWords(client, changes, unprotects(body));
    const fourEyes = changes.jwks !== undefined || changes.jwksUri !== undefined;
    if (words) await this.criticalChanges.require(request, caller, { ...words, touched: { client: clientId }, ...(fourEyes && { fourEyes }) });
    if (isOperator) return this.changeClient.execute(clientId, changes);
    return consent.isRequired ? consent.ask(clientId, changes, caller.id) : this.changeClient.execute(clientId, changes);
  }

  @Delete(':clientId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async remove(@ClientIdParam() clientId: ClientId, @Principal() caller: Administrator, @Req() request: FastifyRequest): Promise<void> {
    const { name } = await this.clients.get(clientId);
    const lines = [`Relying party: ${name} (${clientId})`, 'It is deleted for good: no person logs in there any more.'];
    await this.criticalChanges.require(request, caller, { title: `${name}: delete the relying party`, lines, touched: { client: clientId } });
    return this.deleteClient.execute(clientId);
  }
}
