import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time limit for requests under way, in milliseconds. */
const DRAIN_TIMEOUT = 10_000;

/** An idle turn of the event loop takes less than QUIET_TURN. The wait for one ends after QUIET_TIMEOUT. Milliseconds. */
const QUIET_TURN = 0.2;
const QUIET_TIMEOUT = 1_000;

const CLOSE_IDLE_INTERVAL = 50;

/**
 * Accepts no new connections, and resolves when the others are closed, after ten seconds at the latest. A gateway may send a request over an
 * idle connection while it is being closed here, and must not repeat the request (RFC 9110 §9.2.2). So idle connections stay open for
 * `idleGrace` milliseconds: a gateway with a shorter idle timeout closes them itself.
 */
export const drain = async (server: Server, idleGrace: number): Promise<void> => {
  const closed = once(server, 'close');
  await stopListening(server);
  const idleUntil = performance.now() + idleGrace;
  const idle = setInterval(() => performance.now() >= idleUntil && server.closeIdleConnections(), CLOSE_IDLE_INTERVAL);
  const timeout = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT);
  await closed;
  clearInterval(idle);
  clearTimeout(timeout);
  server.close(); // ends the timer that checks its connections
};

/**
 * When a socket stops listening, the kernel resets connections that it has accepted and the process has not. So wait for a short turn of
 * the event loop without a new connection. `Server.close` of HTTP would close idle connections too, hence that of its base class.
 */
const stopListening = async (server: Server): Promise<void> => {
  let connections = 0;
  const count = (): void => void (connections += 1);
  server.on('connection', count);
  for (const giveUpAt = performance.now() + QUIET_TIMEOUT; ;) {
    const [before, since] = [connections, performance.now()];
    await nextTurn();
    const now = performance.now();
    if ((connections === before && now - since < QUIET_TURN) || now > giveUpAt) break;
  }
  server.off('connection', count);
  NetServer.prototype.close.call(server);
};
