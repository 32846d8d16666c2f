import { runApplication } from '#platform';

import { signing } from './app.js';

await runApplication(signing);
