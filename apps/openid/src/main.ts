import { runApplication } from '#service/platform';

import { openId } from './app.js';

await runApplication(openId);
