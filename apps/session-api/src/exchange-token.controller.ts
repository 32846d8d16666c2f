import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { ExchangeToken, type TokenResponse } from '#domain/session';

import { ExchangeTokenDto } from './exchange-token.dto.js';

@Controller('relying-party/v1/session/token')
export class ExchangeTokenController {
  constructor(private readonly exchangeToken: ExchangeToken) {}

  @Post()
  @HttpCode(200)
  exchange(@Body() body: ExchangeTokenDto, @Principal() client: Client): Promise<TokenResponse> {
    return this.exchangeToken.execute({ code: body.code, codeVerifier: body.code_verifier }, client);
  }
}
