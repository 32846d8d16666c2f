import type { PlatformSettings } from '#service/config';
import type { Application } from '#service/platform';

import { portal } from '../../console/src/app.js';
import { deviceApi } from '../../device-api/src/app.js';
import { loginBff } from '../../login-bff/src/app.js';
import { openId } from '../../openid/src/app.js';
import { registry } from '../../registry/src/app.js';
import { type SandboxControl, sandboxOf } from '../../sandbox/src/app.js';
import { sessionApi } from '../../session-api/src/app.js';
import { signing } from '../../signing/src/app.js';
import { timers } from '../../timers/src/app.js';
import { webhookDispatcher } from '../../webhook-dispatcher/src/app.js';

/** All applications; the sandbox only with `SANDBOX`. `control`: of the process, for the sandbox. */
export const applications = (settings: PlatformSettings, control?: SandboxControl): readonly Application[] => [
  sessionApi,
  loginBff,
  openId,
  deviceApi,
  signing,
  registry,
  portal,
  webhookDispatcher,
  timers,
  ...(settings.sandbox ? [sandboxOf(control)] : []),
];
