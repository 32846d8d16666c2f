import { Body, Controller, Post } from '@nestjs/common';

import { RegisterClient } from '#domain/relying-party';
import { ReachableNetworks } from '#domain/webhook';
import { Randomness } from '#kernel';

import { checkAddresses, clientSettingsOf } from '../../registry/src/client-settings.dto.js';
import { CreateClientDto } from './create-client.dto.js';
import { SANDBOX_TERMS } from './seed/seeded-client.js';

interface CreatedClient {
  readonly clientId: string;
  /** Returned only here. The service stores its hash. */
  readonly clientSecret: string;
}

@Controller('sandbox/v1/clients')
export class CreateClientController {
  constructor(
    private readonly registerClient: RegisterClient,
    private readonly networks: ReachableNetworks,
    private readonly randomness: Randomness,
  ) {}

  /** A client for one test. What the body leaves out is as with the client of every sandbox: all attributes, every age, and requests that a browser may bring. */
  @Post()
  async create(@Body() body: CreateClientDto): Promise<CreatedClient> {
    checkAddresses(body, this.networks);
    const { name = `Sandbox ${this.randomness.bytes(8).toString('hex')}`, redirect_uris: redirectUris } = body;
    const { clientId, clientSecret } = await this.registerClient.execute({ ...SANDBOX_TERMS, ...clientSettingsOf(body), name, redirectUris });
    return { clientId, clientSecret: clientSecret.reveal() };
  }
}
