import { streamName } from '#engines/event-store';
import type { SessionId } from '#kernel';

import type { SigningResult, SigningStatement } from '../domain/sealed-terms.js';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { eraseResult } from './signing-results.js';

const STATEMENT: SigningStatement = { toBeSigned: 'dG8gYmUgc2lnbmVk', manifest: 'PG1hbmlmZXN0Lz4=', signingTime: 1 };
const RESULT = { container: 'UEs=', name: 'Mari Maasikas', personalCode: '1' } as SigningResult;

let fixture: ReturnType<typeof useCaseFixture>;
let sessionId: SessionId;
beforeEach(() => {
  fixture = useCaseFixture();
  sessionId = fixture.randomness.uuid<SessionId>();
});
afterEach(() => fixture.eventStore.close());

const stored = () => fixture.eventStore.read(streamName('result', sessionId));
const storeAll = async () => {
  await fixture.results.prepare(sessionId, STATEMENT);
  await fixture.results.sign(sessionId, 'c2lnbmF0dXJl');
  await fixture.results.store(sessionId, RESULT);
};

describe('the stored parts of a signature', () => {
  it('is the statement, the signature value and the result', async () => {
    await storeAll();
    expect(await fixture.results.find(sessionId)).toEqual({ statement: STATEMENT, signature: 'c2lnbmF0dXJl', result: RESULT });
    expect((await stored()).map(({ type }) => type)).toEqual(['StatementPrepared', 'SignatureVerified', 'ResultKept']);
  });

  it('keeps the attributes with the time of the PIN beside the signature value', async () => {
    const timed = { toBeSigned: 'dGltZWQ=', signingTime: 2 };
    await fixture.results.prepare(sessionId, STATEMENT);
    await fixture.results.sign(sessionId, 'c2lnbmF0dXJl', timed);
    await fixture.results.sign(sessionId, 'b3RoZXI=', { ...timed, signingTime: 3 });
    expect(await fixture.results.find(sessionId)).toEqual({ statement: STATEMENT, signature: 'c2lnbmF0dXJl', timed });
  });

  it('is sealed', async () => {
    await storeAll();
    expect(JSON.stringify((await stored()).map(({ data }) => data))).not.toMatch(/Mari|PG1hbmlmZXN0|c2lnbmF0dXJl|dG8gYmU|UEs=/);
  });

  it('is each the first one, which later calls answer', async () => {
    await storeAll();
    expect(await fixture.results.prepare(sessionId, { ...STATEMENT, signingTime: 2 })).toEqual(STATEMENT);
    await fixture.results.sign(sessionId, 'b3RoZXI=');
    await fixture.results.store(sessionId, { ...RESULT, name: 'Other' });
    expect(await fixture.results.find(sessionId)).toEqual({ statement: STATEMENT, signature: 'c2lnbmF0dXJl', result: RESULT });
  });

  it('is one statement for many calls at the same time', async () => {
    const times = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(times.map((signingTime) => fixture.results.prepare(sessionId, { ...STATEMENT, signingTime })));
    expect(new Set(answers.map(({ signingTime }) => signingTime)).size).toBe(1);
    expect(await stored()).toHaveLength(1);
  });

  it('is hidden together, and takes nothing later, when it is too old', async () => {
    await storeAll();
    fixture.clock.advance(1_800_000 + 60_000 + 60_000);
    expect(await fixture.results.find(sessionId)).toEqual({});
    await expect(fixture.results.store(sessionId, RESULT)).rejects.toMatchObject({ name: 'StreamTombstoned' });
  });

  it('is erased together, permanently', async () => {
    await storeAll();
    await fixture.results.discard(sessionId);
    expect(await fixture.results.find(sessionId)).toEqual({});
    for (const later of [
      fixture.results.prepare(sessionId, STATEMENT),
      fixture.results.sign(sessionId, 'x'),
      fixture.results.store(sessionId, RESULT),
    ])
      await expect(later).rejects.toMatchObject({ name: 'StreamTombstoned' });
  });

  it('leaves no tombstone when nothing was stored', async () => {
    await eraseResult(fixture.eventStore, sessionId);
    expect(await fixture.eventStore.exists(streamName('result', sessionId))).toBe(false);
    await storeAll();
    await eraseResult(fixture.eventStore, sessionId);
    expect(await stored()).toEqual([]);
  });
});
