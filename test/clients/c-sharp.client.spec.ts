import { C_SHARP } from '../../testkit/programs/generated-clients/languages.ts';
import { describeGeneratedClient } from './support/generated-client.js';

describeGeneratedClient(C_SHARP);
