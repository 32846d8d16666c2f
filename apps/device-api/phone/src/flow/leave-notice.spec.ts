import type { ReadyRequest } from '#clients/device';
import { jest } from '@jest/globals';
import { LeaveNotice } from './leave-notice.js';
import { openRequestOf } from './testing/scripted-phone.js';

const request = (url: string): ReadyRequest => ({ url, init: {} });

describe('the notice of leaving', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends the prepared message once', async () => {
    const sent: string[] = [];
    const leaveNotice = new LeaveNotice(({ url }) => sent.push(url), openRequestOf());
    await leaveNotice.arm('s', () => Promise.resolve(request('a')));
    expect([leaveNotice.leave(), leaveNotice.leave()]).toEqual([true, false]);
    expect(sent).toEqual(['a']);
  });

  it('sends a fresh message even after the request was shown for long', async () => {
    const sent: string[] = [];
    let made = 0;
    const leaveNotice = new LeaveNotice(({ url }) => sent.push(url), openRequestOf());
    await leaveNotice.arm('s', () => Promise.resolve(request(String((made += 1)))));
    await jest.advanceTimersByTimeAsync(95_000);
    leaveNotice.leave();
    expect(sent).toEqual(['4']);
    await jest.advanceTimersByTimeAsync(95_000);
    expect(made).toBe(4);
  });

  it('sends nothing once the person has decided, even while a message is being made', async () => {
    const sent: string[] = [];
    const leaveNotice = new LeaveNotice(({ url }) => sent.push(url), openRequestOf());
    const armed = leaveNotice.arm('s', () => Promise.resolve(request('late')));
    leaveNotice.disarm();
    await armed;
    expect(leaveNotice.leave()).toBe(false);
    expect(sent).toEqual([]);
  });
});
