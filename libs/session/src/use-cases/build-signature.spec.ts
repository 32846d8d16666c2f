import { ServiceUnavailable, type SessionId } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import { BuildSignature, type BuildSignatureDependencies } from './build-signature.js';

const sessionId = '00000000-0000-4000-8000-000000000001' as SessionId;

let found: Pick<StartedSession, 'status'> | undefined;
let discarded: SessionId[];
let build: BuildSignature;
beforeEach(() => {
  discarded = [];
  const dependencies = {
    sessions: { find: async () => found },
    results: { discard: async (id: SessionId) => void discarded.push(id) },
  };
  build = new BuildSignature(dependencies as unknown as BuildSignatureDependencies);
});

describe('building the container of a signature', () => {
  it.each(['PENDING', 'SCANNED'] as const)('is tried again while reads show the session as %s, without its approval', async (status) => {
    found = { status };
    await expect(build.execute(sessionId)).rejects.toThrow(ServiceUnavailable);
  });

  it.each(['COMPLETED', 'EXPIRED'] as const)('has nothing to do for a session that is %s', async (status) => {
    found = { status };
    await expect(build.execute(sessionId)).resolves.toBeUndefined();
    expect(discarded).toEqual([]);
  });

  it('has nothing to do for an erased session', async () => {
    found = undefined;
    await expect(build.execute(sessionId)).resolves.toBeUndefined();
    expect(discarded).toEqual([]);
  });

  it('discards the result of a cancelled session', async () => {
    found = { status: 'CANCELLED' };
    await build.execute(sessionId);
    expect(discarded).toEqual([sessionId]);
  });
});
