import { describe } from '@jest/globals';

import { PYTHON } from '../../testkit/programs/generated-clients/languages.ts';
import { testGeneratedClient } from './support/generated-client.js';

describe('the client that is generated for Python', () => {
  testGeneratedClient(PYTHON);
});
