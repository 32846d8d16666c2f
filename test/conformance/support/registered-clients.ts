import { beforeAll } from '@jest/globals';

import { type Answer, secret, type Service, sharedService, Staff, word } from '../../support/index.js';

export let service: Service;
export let staff: Staff;

/** The tests of the file share the service and its staff. */
export const useStaff = (): void => {
  beforeAll(async () => {
    service = await sharedService();
    staff = new Staff(service);
  });
};

export const terms = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `Shop ${word()}`,
  redirect_uris: [`https://${word()}.example/callback`],
  allowed_attributes: ['name'],
  allowed_predicates: ['ageOver18'],
  ...changes,
});

export const register = async (changes: Record<string, unknown> = {}): Promise<Answer> => {
  const answer = await staff.call('POST', '/clients', terms(changes));
  if (answer.status === 201) secret('client secret', answer.json!['clientSecret'] as string);
  return answer;
};
