import { setTimeout as pause } from 'node:timers/promises';

import { type HttpRequest, LeanConnection, requestBytes } from './lean-connection.js';
import type { Stopwatch } from './measurement.js';

export interface Pace {
  readonly url: string;
  readonly requests: readonly HttpRequest[];
  readonly seconds: number;
  readonly perSecond: number;
  readonly connections: number;
}

/**
 * Requests at even distances (to a millisecond), as long as a connection is free; each is timed from the moment that
 * it was due, so that a stall counts for every request that fell into it.
 */
export const sendPaced = async ({ url, requests, seconds, perSecond, connections }: Pace, stopwatch: Stopwatch): Promise<void> => {
  const { host, hostname, port } = new URL(url);
  const prepared = requests.map((request) => requestBytes(host, request));
  const began = performance.now();
  const end = began + seconds * 1000;
  let next = 0;
  const worker = async (): Promise<void> => {
    const connection = new LeanConnection(hostname, Number(port));
    for (;;) {
      const turn = next++;
      const dueAt = began + (turn * 1000) / perSecond;
      if (dueAt >= end) break;
      const early = dueAt - performance.now();
      if (early > 0) await pause(early);
      const status = await connection.send(prepared[turn % prepared.length] as Buffer).then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      if (status === 200) stopwatch.took(performance.now() - dueAt);
      else stopwatch.failed(String(status));
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, worker));
};
