import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import type { PlatformSettings } from '#config';
import type { Platform } from '#platform';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createLoginBffApp } from '../../login-bff/src/app.js';
import { createRegistryApp } from '../../registry/src/app.js';
import { createSandboxApp } from '../../sandbox/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';
import { createSigningApp } from '../../signing/src/app.js';

export interface Application {
  readonly create: (platform: Platform) => Promise<NestFastifyApplication>;
  /** Everything below these paths is its own. */
  readonly prefixes: readonly string[];
}

/** Which application answers where. */
export const applications = ({ loginUrl, appUrl, sandbox }: PlatformSettings): readonly Application[] => [
  { create: createSessionApiApp, prefixes: ['/relying-party'] },
  { create: createLoginBffApp, prefixes: ['/login-ui', pathOf(loginUrl)] },
  { create: createDeviceApiApp, prefixes: ['/app', pathOf(appUrl)] },
  { create: createSigningApp, prefixes: ['/pki'] },
  { create: createRegistryApp, prefixes: ['/admin', '/portal'] },
  ...(sandbox ? [{ create: createSandboxApp, prefixes: ['/sandbox'] }] : []),
];

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
