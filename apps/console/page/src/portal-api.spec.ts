import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { en as messages } from './messages/en.js';
import { bodyOf } from './parts.js';
import { PortalApi } from './portal-api.js';

const answer = (status: number, headers: Record<string, string> = {}): Response => new Response('{"errorCode":"x"}', { status, headers });

/** What the page tells after that answer. */
const toldAfter = async (response: Response | Error): Promise<readonly string[]> => {
  const asked = jest.spyOn(globalThis, 'fetch');
  if (response instanceof Error) asked.mockRejectedValueOnce(response);
  else asked.mockResolvedValueOnce(response);
  const told: string[] = [];
  const dependencies = {
    texts: messages,
    tell: (text: string): void => void told.push(text),
    time: (at: unknown) => `at ${String(at)}`,
    left: (): void => void told.push('left'),
  };
  expect(bodyOf(await new PortalApi().post('/admin/v1/x'), dependencies)).toBeUndefined();
  return told;
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a call of the portal', () => {
  it('beyond a limit tells when it is possible again, however long that takes', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(1_767_225_600_500);
    expect(await toldAfter(answer(429, { 'retry-after': '3000' }))).toEqual([`${messages.tooOften} at 1767228601`]);
  });

  it.each([
    ['429 without a time', answer(429), messages.noAnswer],
    ['503', answer(503, { 'retry-after': '2' }), messages.noAnswer],
    ['nothing', new TypeError('failed to fetch'), messages.noAnswer],
    ['401', answer(401), 'left'],
    ['403', answer(403), messages.forbidden],
    ['400', answer(400), messages.invalid],
  ])('that is answered %s tells so', async (_, response, told) => {
    expect(await toldAfter(response)).toEqual([told]);
  });
});
