import { runApplication } from '#platform';

import { sessionApi } from './app.js';

await runApplication(sessionApi);
