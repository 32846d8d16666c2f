import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Route } from '#service/http';
import { InvalidRequest } from '#kernel';
import { BeginAuthorization, NoRelyingParty, type Parameters } from '#domain/openid';

import { formOf, queryOf } from './form-of.js';

/** OpenID Connect Core section 3.1.2.1: both methods, with the parameters in the query or in a form. */
@Controller('openid/authorize')
export class AuthorizeController {
  constructor(private readonly beginAuthorization: BeginAuthorization) {}

  @Get()
  @Route({ open: true })
  fromQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#begin(parametersOf(request), reply);
  }

  @Post()
  @Route({ open: true })
  fromForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#begin(formOf(request), reply);
  }

  async #begin(given: Parameters, reply: FastifyReply): Promise<void> {
    const address = await this.beginAuthorization.execute(given);
    void reply.header('referrer-policy', 'no-referrer').redirect(address, 303);
  }
}

/** A person sees the answer, so it is a page. */
const parametersOf = (request: FastifyRequest): Parameters => {
  try {
    return queryOf(request);
  } catch (error) {
    throw error instanceof InvalidRequest ? new NoRelyingParty(error.reason) : error;
  }
};
