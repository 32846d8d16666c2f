import { RouteConfig } from '@nestjs/platform-fastify';

import type { HttpRefusal } from './refusal.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body of any type and size is left unread. */
    ignoreBody?: boolean;
    /** A JSON object is read where there is one; anything else counts as no body. */
    optionalBody?: boolean;
    /** Answered without credentials. All other routes require them. */
    open?: boolean;
    /** The answer goes on for long: see `FastifyRequest.stands`. */
    held?: boolean;
  }
  interface FastifyRequest {
    /** The bytes of the body as received. */
    rawBody?: Buffer;
    /** The owner of the credentials. */
    principal?: unknown;
    /** Of a route that is held: judges the credentials again, as those of a new request. */
    stands?: () => Promise<boolean>;
    /** The refusal of the request, for the log. */
    refusal?: HttpRefusal;
  }
}

export interface RouteOptions {
  readonly ignoreBody?: boolean;
  readonly optionalBody?: boolean;
  readonly open?: boolean;
  readonly held?: boolean;
}

/** Exceptions of a route: `@Route({ ignoreBody: true })`. */
export const Route = (options: RouteOptions): MethodDecorator => RouteConfig(options);
