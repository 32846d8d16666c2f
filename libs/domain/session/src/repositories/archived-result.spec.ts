import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { type DomainEvent, Sealer, Secret, type SessionId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import type { Lifetimes } from '../domain/lifetimes.js';
import { SigningResults } from './signing-results.js';

/** Stored events are read for ever: never change this file, add another one for a new version. Sealed under a key of 32 times the byte 7. */
const GOLDEN = JSON.parse(await readFile(new URL('archived-result.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const SESSION = '66666666-6666-4666-8666-666666666666' as SessionId;

describe('the stored parts of an archived signature', () => {
  it('are still read: what was signed, the value, the time-stamp and the archive time-stamp', async () => {
    const clock = new FixedClock();
    const store = new SqliteEventStore({ path: ':memory:', clock });
    await store.append(streamName('result', SESSION), NO_STREAM, GOLDEN);
    const sealer = new Sealer(new StaticKeyRing([{ id: 'golden', key: new Secret(Buffer.alloc(32, 7)) }]), new SystemRandomness());
    const found = await new SigningResults(store, sealer, {} as Lifetimes, clock).find(SESSION);
    expect(found).toMatchObject({
      statement: { toBeSigned: 'dG8gYmUgc2lnbmVk', signingTime: 1 },
      signature: 'c2lnbmF0dXJl',
      timeStamp: { token: Buffer.from('token'), genTime: 1_767_225_600_000, policy: '1.2.3' },
      archived: { cms: Buffer.from('cms'), timeStamp: { token: Buffer.from('token') } },
    });
    expect(found.archived?.timeStamp.chain.map(({ subject }) => subject)).toEqual(found.timeStamp?.chain.map(({ subject }) => subject));
    expect(found.archived?.timeStamp.chain).toHaveLength(1);
    await store.close();
  });
});
