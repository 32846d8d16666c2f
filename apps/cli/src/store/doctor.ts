import { examine, type DoctorFinding } from '#service/platform';

import { serviceEnvironment } from '../settings.js';

/** The findings about a start with these environment variables. */
export const examineStart = (environment = serviceEnvironment()): Promise<readonly DoctorFinding[]> => examine(environment);
