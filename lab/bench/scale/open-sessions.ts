import { join } from 'node:path';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';

import { costsBeside } from './costs-beside.js';
import type { Costs } from './growth.js';

const AT_ONCE = 2_000;
/** They stay open for longer than the measurement takes. Milliseconds. */
const OPEN_FOR = 6 * 3_600_000;

/** The cost of each path beside so many open sessions. */
export const besideOpenSessions = (count: number): Promise<Costs> => costsBeside((directory) => fill(directory, count));

const fill = async (directory: string, count: number): Promise<void> => {
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  const store = new SqliteEventStore({ path: join(directory, 'countersign.sqlite'), clock, randomness });
  const clientId = randomness.uuid<string>();
  const created = () => {
    const at = Date.now();
    return {
      type: 'SessionCreated',
      data: {
        clientId,
        signatureType: 'AUTHENTICATION',
        redirectUri: 'https://shop.example/callback',
        codeChallenge: randomness.bytes(32).toString('base64url'),
        pushStatus: 'NOT_REQUESTED',
        sealed: randomness.bytes(120).toString('base64url'),
        expiresAt: at + OPEN_FOR,
        at,
      },
      metadata: { v: 2, clientId, signatureType: 'AUTHENTICATION', status: 'PENDING' },
    };
  };
  for (let stored = 0; stored < count; stored += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - stored);
    await Promise.all(Array.from({ length: some }, () => store.append(streamName('session', randomness.uuid()), NO_STREAM, [created()])));
  }
  await store.close();
};
