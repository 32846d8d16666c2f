import { runApplication } from '#platform';

import { webhookDispatcher } from './app.js';

await runApplication(webhookDispatcher);
