import { runApplication } from '#service/platform';

import { loginBff } from './app.js';

await runApplication(loginBff);
