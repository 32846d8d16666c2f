import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long requests under way may take to finish, in milliseconds. */
const DRAIN = 10_000;

/** A turn of the event loop in which nothing happened takes less than this, and one is waited for so long at most; milliseconds. */
const QUIET_TURN = 0.2;
const NO_QUIET_TURN = 1_000;

const CLOSE_IDLE_EVERY = 50;

/**
 * Takes no new connection and resolves when the others are closed, at the latest after ten seconds. A gateway may send a request
 * over an idle connection at the very moment that we close it, and must not send it again (RFC 9110 section 9.2.2): for
 * `idleGrace` milliseconds idle connections are left to the gateway, which closes them itself when its own time for them is shorter.
 */
export const drain = async (server: Server, idleGrace: number): Promise<void> => {
  const closed = once(server, 'close');
  await stopListening(server);
  const idleUntil = performance.now() + idleGrace;
  const idle = setInterval(() => performance.now() >= idleUntil && server.closeIdleConnections(), CLOSE_IDLE_EVERY);
  const enough = setTimeout(() => server.closeAllConnections(), DRAIN);
  await closed;
  clearInterval(idle);
  clearTimeout(enough);
  server.close(); // what it watches its connections with
};

/**
 * The kernel resets connections that it has taken and nobody has fetched: so not before a turn of the event loop that brought
 * none and was short. The close of HTTP would close idle connections too.
 */
const stopListening = async (server: Server): Promise<void> => {
  let connections = 0;
  const count = (): void => void (connections += 1);
  server.on('connection', count);
  for (const giveUp = performance.now() + NO_QUIET_TURN; ; ) {
    const [before, since] = [connections, performance.now()];
    await nextTurn();
    const now = performance.now();
    if ((connections === before && now - since < QUIET_TURN) || now > giveUp) break;
  }
  server.off('connection', count);
  NetServer.prototype.close.call(server);
};
