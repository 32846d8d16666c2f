import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Resetting } from './resetting.js';

@Controller('sandbox/v1/reset')
export class ResetController {
  constructor(private readonly resetting: Resetting) {}

  /**
   * Brings back what the sandbox had from the start: sessions, logins, codes, other phones and clients, the clock, and faults are gone when it answers. Requests that are under way are
   * answered first, and others wait.
   */
  @Post()
  @HttpCode(204)
  reset(@Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.resetting.reset(reply.raw);
  }
}
