import { runApplication } from '#service/platform';

import { webhookDispatcher } from './app.js';

await runApplication(webhookDispatcher);
