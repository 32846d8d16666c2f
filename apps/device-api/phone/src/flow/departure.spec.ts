import { jest } from '@jest/globals';
import type { ReadyRequest } from '../api/phone-api.js';
import { Departure } from './departure.js';

const request = (url: string): ReadyRequest => ({ url, init: {} });

describe('leaving', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends the message that lay ready, once', async () => {
    const sent: string[] = [];
    const departure = new Departure(({ url }) => sent.push(url));
    await departure.arm(() => Promise.resolve(request('a')));
    expect([departure.leave(), departure.leave()]).toEqual([true, false]);
    expect(sent).toEqual(['a']);
  });

  it('sends a fresh message, however long the question stood there', async () => {
    const sent: string[] = [];
    let made = 0;
    const departure = new Departure(({ url }) => sent.push(url));
    await departure.arm(() => Promise.resolve(request(String((made += 1)))));
    await jest.advanceTimersByTimeAsync(95_000);
    departure.leave();
    expect(sent).toEqual(['4']);
    await jest.advanceTimersByTimeAsync(95_000);
    expect(made).toBe(4);
  });

  it('says nothing once the person has decided, even while a message is being made', async () => {
    const sent: string[] = [];
    const departure = new Departure(({ url }) => sent.push(url));
    const armed = departure.arm(() => Promise.resolve(request('late')));
    departure.disarm();
    await armed;
    expect(departure.leave()).toBe(false);
    expect(sent).toEqual([]);
  });
});
