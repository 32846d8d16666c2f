import { runApplication } from '#platform';

import { registry } from './app.js';

await runApplication(registry);
