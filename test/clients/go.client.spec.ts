import { compileGoClient, GO } from '../../testkit/programs/generated-clients/languages.ts';
import { describeGeneratedClient, describeOtherAudiences } from './support/generated-client.js';

describeGeneratedClient(GO);
describeOtherAudiences(GO, compileGoClient);
