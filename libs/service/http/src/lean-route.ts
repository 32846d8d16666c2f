import type { Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { refusalOf } from './refusal.js';
import { sendRefusal } from './send-refusal.js';

/** The method of a controller that answers a lean route. */
export interface LeanMethod {
  readonly controller: Type;
  readonly name: string | symbol;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    lean?: LeanMethod;
  }
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * For a route that gets more requests than all others. Fastify calls the method itself, with the request and the reply, and sends its answer: no guard, pipe or
 * interceptor of Nest runs. The hooks run as on every route, and refusals are answered as everywhere (docs/adr/0042-lean-routes.md).
 */
export const Lean = (): MethodDecorator => (target, name, descriptor) =>
  RouteConfig({ lean: { controller: target.constructor, name } })(target, name, descriptor);

/** Makes Fastify call the {@link Lean} methods of routes that are added from now on. `controllerOf` answers the instance of a controller. */
export const callLeanMethods = (fastify: FastifyInstance, controllerOf: (type: Type) => object): void => {
  fastify.addHook('onRoute', (route) => {
    const lean = route.config?.lean;
    if (!lean) return;
    const controller = controllerOf(lean.controller) as Readonly<Record<string | symbol, Answer>>;
    route.handler = handlerOf((request, reply) => (controller[lean.name] as Answer)(request, reply));
  });
};

const handlerOf =
  (answer: Answer) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    // The router takes an empty segment for a parameter; Nest does not.
    if (Object.values(request.params as object).includes('')) {
      reply.callNotFound();
      return;
    }
    const refuse = (error: unknown): void => {
      if (!reply.sent) sendRefusal(reply, refusalOf(error));
    };
    try {
      const body = answer(request, reply);
      // `void`: a reply is a thenable, which would wait until the answer is sent.
      if (body instanceof Promise) body.then((later) => void reply.send(later)).catch(refuse);
      else void reply.send(body);
    } catch (error) {
      refuse(error);
    }
  };
