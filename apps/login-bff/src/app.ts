import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { callerOf, createHttpApp, FailureThrottle, limitRoutes, throttleRefusals } from '#service/http';
import { type Application, pathOf, type Platform } from '#service/platform';

import { registerHostedPage } from './hosted-page.js';
import { LOGIN_BUDGETS, loginPageBudgets } from './login-budgets.js';
import { LoginBffModule } from './login-bff.module.js';
import { requireLoginHeader } from './login-header.js';
import { serveLogos } from './serve-logos.js';

/** The hosted login page, and `/login-ui/v1` for that page's origin only. */
export const createLoginBffApp = (platform: Platform): Promise<NestFastifyApplication> => {
  const { settings, log, metrics, clock, rateLimits, proxyReports } = platform;
  const pages = loginPageBudgets(settings.loginUrl);
  return createHttpApp(LoginBffModule.register(platform), {
    log,
    metrics,
    trustedProxies: settings.trustedProxies,
    proxyReports,
    budgets: LOGIN_BUDGETS,
    pages,
    onRequest: [requireLoginHeader, limitRoutes(rateLimits, pages, (request) => ({ principal: callerOf(request) }))],
    configure: async (fastify) => {
      // The page's countdown follows this header, so that it agrees with the service whatever the clock of the browser or of the sandbox says.
      fastify.addHook('onRequest', (_request, reply, done) => {
        reply.header('date', new Date(clock.now()).toUTCString());
        done();
      });
      throttleRefusals(fastify, new FailureThrottle(rateLimits, 'login-failures', settings.authenticationFailureLimit));
      await fastify.register(cookie);
      await fastify.register(cors, {
        // With a list, other origins get no header and `Vary: Origin` is set.
        origin: [new URL(settings.loginUrl).origin],
        credentials: true,
        methods: ['GET', 'POST', 'DELETE'],
        allowedHeaders: ['X-Service-Login', 'Content-Type', 'Prefer'],
        // What the page reads of an answer, also where it has an origin of its own.
        exposedHeaders: ['Preference-Applied', 'Date', 'Retry-After'],
        strictPreflight: false,
      });
      serveLogos(fastify, settings.loginUrl, platform.useCases.relyingParties().findLogo);
      await registerHostedPage(fastify, settings);
    },
  });
};

export const loginBff: Application = { create: createLoginBffApp, prefixes: ({ loginUrl }) => ['/login-ui', pathOf(loginUrl)] };
