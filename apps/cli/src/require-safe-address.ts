import { isLoopback } from '#service/config';

import { UsageFailure } from './failures.js';

/** The admin token goes over plain http to this machine only. Throws UsageFailure. */
export const requireSafeAddress = (baseUrl: string): void => {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return;
  throw new UsageFailure(`BASE_URL is ${baseUrl}: the admin token is sent to another machine over https only. Use the service's https address.`);
};
