import { runApplication } from '#service/platform';

import { sessionApi } from './app.js';

await runApplication(sessionApi);
