import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { type DomainEvent, Sealer, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { ScriptedPhones } from './scripted-phones.js';

/** Stored events are read for ever: never change this file, add another one for a new version. Sealed under a key of 32 times the byte 7. */
const GOLDEN = JSON.parse(await readFile(new URL('scripted-phone.v1.json', import.meta.url), 'utf8')) as DomainEvent[];
const PHONE = '77777777-7777-4777-8777-777777777777';

describe('a stored phone of the sandbox', () => {
  it('is still a phone with its keys, its persona and its delay', async () => {
    const clock = new FixedClock();
    const randomness = new SystemRandomness();
    const store = new SqliteEventStore({ path: ':memory:', clock });
    await store.append(streamName('sandboxphone', PHONE), NO_STREAM, GOLDEN);
    const sealer = new Sealer(new StaticKeyRing([{ id: 'golden', key: new Secret(Buffer.alloc(32, 7)) }]), randomness);
    const { phone, persona, delaySeconds } = await new ScriptedPhones(store, sealer, clock, randomness).get(PHONE);
    expect([persona, delaySeconds, phone.deviceId, phone.toJSON().device.name]).toEqual(['slow', 5, PHONE, 'Sandbox phone']);
    await store.close();
  });
});
