import { runApplication } from '#platform';

import { deviceApi } from './app.js';

await runApplication(deviceApi);
