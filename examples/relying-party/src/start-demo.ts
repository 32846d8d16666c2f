import type { FastifyInstance } from 'fastify';

import { buildDemo } from './build-demo.js';
import type { DemoOptions } from './demo-options.js';

export interface ListeningDemoOptions extends DemoOptions {
  readonly host: string;
  readonly port: number;
}

/** Starts the demo. `close()` first answers the open requests. */
export const startDemo = async ({ host, port, ...options }: ListeningDemoOptions): Promise<FastifyInstance> => {
  const app = await buildDemo(options);
  await app.listen({ host, port });
  return app;
};
