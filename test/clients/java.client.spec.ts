import { describe } from '@jest/globals';

import { JAVA } from '../../testkit/programs/generated-clients/languages.ts';
import { testGeneratedClient } from './support/generated-client.js';

describe('the client that is generated for Java', () => {
  testGeneratedClient(JAVA);
});
