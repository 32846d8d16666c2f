import { generateKeyPairSync } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { type ClientId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { type Client, type ClientKey, clientKeysIn } from '#domain/relying-party';
import type { GetOutcome } from '#domain/webhook';

import { ClientKeySets } from './client-key-sets.js';

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const set = (...kids: readonly string[]) => ({ keys: kids.map((kid) => ({ ...publicKey, kid })) });
const documentOf = (...kids: readonly string[]): GetOutcome => ({ document: Buffer.from(JSON.stringify(set(...kids))) });
const [SECOND, MINUTE] = [1_000, 60_000];

let clock: FixedClock;
let sets: ClientKeySets;
/** What the host answers, and the addresses that were asked. */
let published: GetOutcome;
let asked: string[];
let missed: string[];
beforeEach(() => {
  clock = new FixedClock();
  [asked, missed] = [[], []];
  published = documentOf('first');
  sets = new ClientKeySets({
    clock,
    keysMissed: (clientId, reason) => missed.push(`${clientId} ${reason}`),
    get: {
      read: async (url) => {
        asked.push(url);
        return published;
      },
    },
  });
});

const clientAt = (jwksUri: string | undefined, number = 1): Client =>
  ({ clientId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as ClientId, ...(jwksUri !== undefined && { jwksUri }) }) as Client;
const CLIENT = clientAt('https://keys.example/jwks');
const byId = (kid: string) => (keys: readonly ClientKey[]) => keys.find((key) => key.kid === kid);
const found = async (kid: string, client: Client = CLIENT): Promise<boolean> => (await sets.find(client, byId(kid))) !== undefined;

describe('the keys of a client', () => {
  it('that are registered need no host', async () => {
    const client = { ...clientAt(undefined), jwks: clientKeysIn(set('registered')) };
    expect([await found('registered', client), await found('first', client), await found('first', clientAt(''))]).toEqual([true, false, false]);
    expect(asked).toEqual([]);
  });

  it('that are published are fetched once in five minutes, by forty calls at once too', async () => {
    expect(await Promise.all(Array.from({ length: 40 }, () => found('first')))).toEqual(Array.from({ length: 40 }, () => true));
    clock.advance(5 * MINUTE - 1);
    expect([await found('first'), asked.length]).toEqual([true, 1]);
    clock.advance(1);
    expect([await found('first'), asked.length]).toEqual([true, 2]);
  });

  it('that are taken out of the document end with the next fetch', async () => {
    expect(await found('first')).toBe(true);
    published = documentOf('second');
    clock.advance(5 * MINUTE);
    expect(await found('first')).toBe(false);
  });

  it('are fetched at once for a key that the copy lacks, and then not for ten seconds, whatever is asked for', async () => {
    expect(await found('first')).toBe(true);
    published = documentOf('first', 'second');
    clock.advance(1);
    expect(await Promise.all(Array.from({ length: 40 }, () => found('second')))).toEqual(Array.from({ length: 40 }, () => true));
    expect(asked).toHaveLength(2);
    for (let call = 0; call < 1_000; call++) {
      clock.advance(9);
      expect(await found(`unknown ${call}`)).toBe(false);
    }
    expect(asked).toHaveLength(2);
    clock.advance(SECOND);
    expect([await found('third'), asked.length]).toEqual([false, 3]);
  });

  it('are not fetched twice by one call', async () => {
    expect([await found('unknown'), asked.length]).toEqual([false, 1]);
  });

  it('are looked for once more where the client publishes one while a fetch is under way', async () => {
    let answer: (outcome: GetOutcome) => void = () => undefined;
    const answers = [documentOf('first'), new Promise<GetOutcome>((resolve) => (answer = resolve)), documentOf('first', 'second')];
    sets = new ClientKeySets({ clock, get: { read: async () => answers.shift() ?? published } });
    expect(await found('first')).toBe(true);
    clock.advance(5 * MINUTE);
    const slow = found('first');
    clock.advance(1);
    const late = found('second');
    answer(documentOf('first'));
    expect([await slow, await late]).toEqual([true, true]);
  });

  it('serve for an hour while the host does not answer, which is asked every ten seconds', async () => {
    expect(await found('first')).toBe(true);
    published = { error: 'connection_failed' };
    clock.advance(5 * MINUTE);
    for (let call = 0; call < 20; call++) {
      expect(await found('first')).toBe(true);
      clock.advance(SECOND);
    }
    expect(asked).toHaveLength(3);
    clock.advance(55 * MINUTE - 20 * SECOND - 1);
    expect(await found('first')).toBe(true);
    clock.advance(1);
    expect(await found('first')).toBe(false);
    published = documentOf('first');
    clock.advance(10 * SECOND);
    expect(await found('first')).toBe(true);
  });

  it.each([
    ['does not answer', { error: 'timeout' }, ['timeout']],
    ['may not be reached', { error: 'unreachable_address' }, ['unreachable_address']],
    ['answers a page', { document: Buffer.from('<html>') }, ['no_key_set']],
    ['answers no key of use', { document: Buffer.from('{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"first"}]}') }, []],
  ] as const)('are none where the host %s, of which somebody is told', async (_, outcome, reasons) => {
    published = outcome;
    expect(await found('first')).toBe(false);
    expect(missed).toEqual(reasons.map((reason) => `${CLIENT.clientId} ${reason}`));
  });

  it('at another address are other keys', async () => {
    expect(await found('first')).toBe(true);
    published = documentOf('second');
    expect([await found('first', clientAt('https://other.example/jwks')), asked]).toEqual([
      false,
      ['https://keys.example/jwks', 'https://other.example/jwks'],
    ]);
  });

  it('of one client are not those of another, and a flood of clients leaves those in use', async () => {
    const [first, second] = [clientAt('https://keys.example/1', 1), clientAt('https://keys.example/2', 2)];
    expect(await found('first', first)).toBe(true);
    published = documentOf('second');
    expect([await found('first', second), await found('second', second), await found('second', first)]).toEqual([false, true, false]);
    for (let number = 3; number <= 1_200; number++) {
      await found('second', clientAt(`https://keys.example/${number}`, number));
      if (number % 500 === 0) await found('second', second);
    }
    const before = asked.length;
    await found('second', second);
    expect(asked.length).toBe(before);
    await found('second', first);
    expect(asked.length).toBe(before + 1);
  });
});
