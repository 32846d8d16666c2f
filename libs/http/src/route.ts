import { RouteConfig } from '@nestjs/platform-fastify';

import type { Refusal } from './refusal.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whatever body comes, of any type and size, is left unread. */
    ignoreBody?: boolean;
    /** Answered without credentials. Everything else asks for them. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** The bytes of the body as they came. */
    rawBody?: Buffer;
    /** Whom the credentials belong to. */
    principal?: unknown;
    /** How the request was refused, for the log. */
    refusal?: Refusal;
  }
}

export interface RouteOptions {
  readonly ignoreBody?: boolean;
  readonly open?: boolean;
}

/** How a route departs from the rule: `@Route({ ignoreBody: true })`. */
export const Route = (options: RouteOptions): MethodDecorator => RouteConfig(options);
