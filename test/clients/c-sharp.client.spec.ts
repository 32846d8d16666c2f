import { describe } from '@jest/globals';

import { C_SHARP } from '../../testkit/programs/generated-clients/languages.ts';
import { testGeneratedClient } from './support/generated-client.js';

describe('the client that is generated for C#', () => {
  testGeneratedClient(C_SHARP);
});
