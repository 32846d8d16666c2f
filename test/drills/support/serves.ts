import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';
import type { RelyingParty } from '../../support/index.js';

/** Whether the process reads the store: it answers that it does not know a session. */
export const serves = async ({ url }: ServiceProcess, { authorization }: RelyingParty): Promise<boolean> => {
  const { status } = await fetch(`${url}/relying-party/v1/session/00000000-0000-4000-8000-000000000000/status`, { headers: { authorization } });
  return status === 404;
};
