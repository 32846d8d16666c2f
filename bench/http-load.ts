import autocannon from 'autocannon';

import type { Load, LoadOptions } from './load.js';
import { type Measurement, Stopwatch } from './measurement.js';
import type { Server } from './server.js';

export interface HttpRequests {
  readonly name: string;
  readonly server: Server;
  /** Sent in turn, over connections that are kept. */
  readonly requests: readonly autocannon.Request[];
}

/** The same kind of request, again and again. */
export const httpLoad = ({ name, server, requests }: HttpRequests): Load => ({
  name,
  run: async ({ seconds, concurrency, perSecond }: LoadOptions): Promise<Measurement> => {
    const stopwatch = new Stopwatch(server);
    const rate = perSecond === undefined ? {} : { overallRate: Math.round(perSecond) };
    const done = Promise.withResolvers<void>();
    const running = autocannon({ url: server.url, connections: concurrency, duration: seconds, requests: [...requests], ...rate }, (error) =>
      error ? done.reject(error as Error) : done.resolve(),
    );
    running.on('response', (_client, status, _bytes, milliseconds) => {
      if (status === 200) stopwatch.took(milliseconds);
      else stopwatch.failed(String(status));
    });
    running.on('reqError', (error: Error) => stopwatch.failed(error.message));
    await done.promise;
    return stopwatch.stop();
  },
});
