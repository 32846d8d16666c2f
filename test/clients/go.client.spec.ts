import { describe } from '@jest/globals';

import { compileGoClient, GO } from '../../testkit/programs/generated-clients/languages.ts';
import { testGeneratedClient, testOtherAudience } from './support/generated-client.js';

describe('the client that is generated for Go', () => {
  testGeneratedClient(GO);
});

describe.each(['device', 'admin'] as const)('the client that is generated for Go from the document of the audience %s', (audience) => {
  testOtherAudience(GO, audience, compileGoClient);
});
