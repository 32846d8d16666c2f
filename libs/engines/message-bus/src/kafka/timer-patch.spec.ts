import { createRequire } from 'node:module';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import './timer-patch.js';

interface Queue {
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
  push(request: unknown): void;
  fulfillRequest(response: { readonly correlationId: number; readonly payload: Buffer; readonly size: number }): void;
}

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (options: object) => Queue;

/** Milliseconds. */
const TIMEOUT = 15_000;

describe('a connection of kafkajs 2.2.4 to a broker', () => {
  let isConnected: boolean;
  let queue: Queue;
  let failures: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    isConnected = true;
    failures = [];
    const logger = { debug: () => undefined, warn: () => undefined };
    const of = { broker: 'broker', clientId: 'test', maxInFlightRequests: null, logger, isConnected: () => isConnected };
    queue = new RequestQueue({ ...of, requestTimeout: TIMEOUT, enforceRequestTimeout: true });
    queue.scheduleRequestTimeoutCheck();
  });
  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  const send = (correlationId: number, requestTimeout?: number): void => {
    const entry = {
      apiKey: 1,
      apiName: `request ${correlationId}`,
      apiVersion: 0,
      correlationId,
      resolve: () => undefined,
      reject: ({ message }: Error) => failures.push(message.split('(')[0]!),
    };
    queue.push({ entry, expectResponse: true, requestTimeout, sendRequest: () => undefined });
  };
  const answer = (correlationId: number): void => queue.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 });

  it('wakes the process once in the time that a request may take, while each request is answered', () => {
    const fired = jest.spyOn(globalThis, 'setTimeout');
    for (let second = 0; second < 60; second++) {
      send(second);
      jest.advanceTimersByTime(1_000);
      answer(second);
    }
    expect(fired.mock.calls.length).toBeLessThanOrEqual(6);
    expect(failures).toEqual([]);
  });

  it('gives a request up when its own time is over, also one that was sent between two looks', () => {
    jest.advanceTimersByTime(9_000);
    send(1);
    send(2, 20_000);
    jest.advanceTimersByTime(TIMEOUT);
    expect(failures).toEqual([]);
    jest.advanceTimersByTime(2);
    expect(failures).toEqual(['Request request 1']);
    jest.advanceTimersByTime(5_000);
    expect(failures).toEqual(['Request request 1', 'Request request 2']);
  });

  it('has no timer once it is closed', () => {
    isConnected = false;
    jest.advanceTimersByTime(TIMEOUT);
    expect(jest.getTimerCount()).toBe(0);
  });
});
