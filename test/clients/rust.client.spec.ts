import { RUST } from '../../testkit/programs/generated-clients/languages.ts';
import { describeGeneratedClient } from './support/generated-client.js';

describeGeneratedClient(RUST);
