import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Accepted } from './accepted.js';
import { refusalOf } from './refusal.js';
import { sendRefusal } from './send-refusal.js';

/** Turns every error into its answer, and what waits for an approval into 202. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    if (error instanceof Accepted) void reply.code(202).type('application/json; charset=utf-8').send(JSON.stringify(error.body));
    else sendRefusal(reply, refusalOf(error));
  }
}
