import { expect } from '@jest/globals';

import type { Answer } from './http.js';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A refusal by its public code; `defaultTranslation` must mention `named`. */
export const expectError = (answer: Answer, status: number, errorCode: string, named?: string): void => {
  expect([answer.status, answer.json?.['errorCode']]).toEqual([status, errorCode]);
  if (named !== undefined) expect(answer.json?.['defaultTranslation']).toContain(named);
};

export const expectOk = (answer: Answer): Record<string, unknown> => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json ?? {};
};

/**
 * The parts of an answer that a client can tell apart: status, body and every header but those that differ on each answer and those of the single
 * connection (RFC 9110 §7.6.1).
 */
export const bytesOf = ({ status, headers, text }: Answer): string => {
  const { date: _, 'x-request-id': __, connection: ___, 'keep-alive': ____, ...same } = headers;
  return JSON.stringify({ status, headers: same, text });
};

/** Asserts that a time of an answer lies so many seconds after the request, which was made at `began` or later. Epoch seconds; the clocks may differ by two. */
export const expectSecondsAfter = (began: number, seconds: number, time: unknown): void => {
  expect(Number.isInteger(time)).toBe(true);
  expect(time).toBeGreaterThanOrEqual(began + seconds - 2);
  expect(time).toBeLessThanOrEqual(nowInSeconds() + seconds + 2);
};

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
