import { runApplication } from '#platform';

import { portal } from './app.js';

await runApplication(portal);
