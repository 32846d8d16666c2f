import { runApplication } from '#service/platform';

import { signing } from './app.js';

await runApplication(signing);
