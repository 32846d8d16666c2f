import type { PushedSession } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { Inbox } from './inbox.js';

const session = (sessionId: string): PushedSession => ({ sessionId, expiresAt: 1 });
const ok = (...sessions: PushedSession[]): Reply<readonly PushedSession[]> => ({ kind: 'OK', body: sessions });

const watch = async (...replies: readonly Reply<readonly PushedSession[]>[]) => {
  const seen: string[] = [];
  const pauses: number[] = [];
  let asked = 0;
  await new Promise<void>((resolve) => {
    const inbox = new Inbox({
      ask: () => {
        const reply = replies[(asked += 1) - 1];
        if (reply !== undefined) return Promise.resolve(reply);
        inbox.stop();
        resolve();
        return Promise.resolve(ok());
      },
      pause: (milliseconds) => (pauses.push(milliseconds), Promise.resolve()),
      onSessions: (sessions) => seen.push(sessions.map(({ sessionId }) => sessionId).join() || 'none'),
      onRefused: () => (seen.push('revoked'), resolve()),
    });
    inbox.start();
    inbox.start();
  });
  return { seen, pauses, asked };
};

describe('the inbox', () => {
  it('reports each change of the list once', async () => {
    expect((await watch(ok(), ok(session('a')), ok(session('a')), ok(session('a'), session('b')), ok())).seen).toEqual(['a', 'a,b', 'none']);
  });

  it('pauses between two calls, and longer without an answer', async () => {
    const unreachable = { kind: 'UNREACHABLE' } as const;
    expect((await watch(ok(), unreachable, unreachable, ok())).pauses).toEqual([1500, 1000, 2000, 1500]);
  });

  it('stops when the service no longer knows this phone', async () => {
    const { seen, asked } = await watch({ kind: 'REFUSED', status: 401, errorCode: 'invalid_device_proof' });
    expect([seen, asked]).toEqual([['revoked'], 1]);
  });
});
