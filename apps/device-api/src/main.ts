import { runApplication } from '#service/platform';

import { deviceApi } from './app.js';

await runApplication(deviceApi);
