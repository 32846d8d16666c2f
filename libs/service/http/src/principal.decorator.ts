import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The owner of the request's credentials, as the authentication hook found it. */
export const Principal: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<FastifyRequest>().principal,
);
