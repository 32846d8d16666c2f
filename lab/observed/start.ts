import { resolve } from 'node:path';

import { ObservedService } from './observed-service.ts';

// `npm run start:observed`: the embedded service with its traces and metrics on pages, until Ctrl-C.
const PORTS = { service: 3000, prometheus: 9090, viewer: 4318 };

const adminToken = process.env['ADMIN_TOKEN'];
const observed = new ObservedService({
  directory: resolve(process.env['DATA_DIR'] ?? './data/observed'),
  ports: PORTS,
  settings: { ...(adminToken !== undefined && { ADMIN_TOKEN: adminToken }) },
});
await observed.start().catch(async (error: Error) => {
  await observed.stop().catch(() => undefined);
  console.error(error.message);
  process.exit(1);
});

console.log(`
Countersign runs in one process and is observed.

  Service      http://localhost:${PORTS.service}
  Traces       ${observed.viewer.url}
  Dashboard    ${observed.viewer.url}/dashboard
  Prometheus   ${observed.prometheus.url}  (alerts: ${observed.prometheus.url}/alerts)
  Log          ${observed.service.log}
`);

const keepAlive = setInterval(() => undefined, 60_000);
const end = async (): Promise<void> => {
  clearInterval(keepAlive);
  await observed.stop();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
