import type { Redis } from 'ioredis';

/** How often the server ran each command during the work, those of scripts included; its own administration is left out. */
export const commandCalls = async (admin: Redis, work: () => Promise<unknown>): Promise<Record<string, number>> => {
  await admin.config('RESETSTAT');
  await work();
  const lines = [...(await admin.info('commandstats')).matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)];
  const calls = lines.map(([, name, count]) => [name!, Number(count)] as const);
  return Object.fromEntries(calls.filter(([name]) => !/^(config|info|ping)/.test(name)));
};
