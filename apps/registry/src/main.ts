import { runApplication } from '#service/platform';

import { registry } from './app.js';

await runApplication(registry);
