import autocannon from 'autocannon';

import type { HttpRequest } from './lean-connection.js';
import type { Load, LoadOptions } from './load.js';
import { type Measurement, Stopwatch } from './measurement.js';
import { sendPaced } from './paced-requests.js';
import type { Server } from './server.js';

export interface HttpLoadOptions {
  readonly name: string;
  readonly server: Server;
  /** Sent in turn, over connections that are kept. */
  readonly requests: readonly HttpRequest[];
}

/** The same kind of request, again and again. */
export const httpLoad = ({ name, server, requests }: HttpLoadOptions): Load => ({
  name,
  run: async ({ seconds, concurrency, perSecond, awake = false }: LoadOptions): Promise<Measurement> => {
    const stopwatch = new Stopwatch(server);
    const sleepAgain = awake ? stayAwake() : () => undefined;
    if (perSecond === undefined) await sendAsFastAsAnswered({ server, requests, seconds, concurrency }, stopwatch);
    else await sendPaced({ url: server.url, requests, seconds, perSecond, connections: concurrency }, stopwatch);
    sleepAgain();
    return stopwatch.stop();
  },
});

/** Turns the event loop without a pause until the answered function is called. */
const stayAwake = (): (() => void) => {
  let isOver = false;
  const turn = (): void => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return () => {
    isOver = true;
  };
};

type Cannon = Pick<HttpLoadOptions, 'server' | 'requests'> & Pick<LoadOptions, 'seconds' | 'concurrency'>;

const sendAsFastAsAnswered = async ({ server, requests, seconds, concurrency }: Cannon, stopwatch: Stopwatch): Promise<void> => {
  const done = Promise.withResolvers<void>();
  const options = { url: server.url, connections: concurrency, duration: seconds, requests: requests as autocannon.Request[] };
  const running = autocannon(options, (error) => (error ? done.reject(error as Error) : done.resolve()));
  running.on('response', (_client, status, _bytes, milliseconds) => {
    if (status === 200) stopwatch.took(milliseconds);
    else stopwatch.failed(String(status));
  });
  running.on('reqError', (error: Error) => stopwatch.failed(error.message));
  await done.promise;
};
