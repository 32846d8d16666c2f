import { runApplication } from '#platform';

import { loginBff } from './app.js';

await runApplication(loginBff);
