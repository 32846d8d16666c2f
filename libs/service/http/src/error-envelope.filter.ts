import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { refusalOf } from './refusal.js';
import { sendRefusal } from './send-refusal.js';

/** Turns every error into its answer. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (!reply.sent) sendRefusal(reply, refusalOf(error));
  }
}
