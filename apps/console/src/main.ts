import { runApplication } from '#service/platform';

import { portal } from './app.js';

await runApplication(portal);
