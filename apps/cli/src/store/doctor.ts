import { examine, type Finding } from '#platform';

import { serviceEnvironment } from '../settings.js';

/** What a start with these environment variables would meet. */
export const examineStart = (environment = serviceEnvironment()): Promise<readonly Finding[]> => examine(environment);
