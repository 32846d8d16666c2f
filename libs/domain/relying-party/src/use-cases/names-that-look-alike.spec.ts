import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';
import type { ClientId } from '#kernel';

import { ClientNames } from '../repositories/client-names.js';
import { terms, randomness, store, own, parts, clients, useClients, nameStreams } from '#testkit/relying-party/registered-clients';

const named = (name: string) => ({ ...terms, name });
const register = async (name: string): Promise<ClientId> => (await clients.registerClient.execute(named(name))).clientId;
const LOOK_ALIKE = {
  code: 'name_taken',
  reason: 'the name looks like that of another client',
  detail: "The name looks like another client's name.",
};
const IN_CYRILLIC = '\u0420\u0430\u0443\u0440\u0430\u04CF';

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
  useClients(async (given) => new ObservedStore(await open(given)));

  describe('given a client named PayPal', () => {
    it.each(['PayPaI', 'PayPa1', IN_CYRILLIC, 'Pay\u034FPal', 'PayPal\u2800'])(
      'refuses to register %j, and reserves nothing for it',
      async (name) => {
        await register('PayPal');
        const before = await nameStreams();
        await expect(register(name)).rejects.toMatchObject(LOOK_ALIKE);
        expect(await nameStreams()).toEqual(before);
      },
    );

    it('refuses to rename another client to PayPaI, and reserves nothing for it', async () => {
      await register('PayPal');
      const other = await register('Ajax');
      const before = await nameStreams();
      await expect(clients.changeClient.execute(other, { name: 'PayPaI' })).rejects.toMatchObject(LOOK_ALIKE);
      expect(await nameStreams()).toEqual(before);
    });

    it('lets the client itself take a name that looks like its own, and keeps both names and skeletons from others as long as it has them', async () => {
      const clientId = await register('PayPal');
      await clients.changeClient.execute(clientId, { name: 'PayPaI' });
      await expect(register('PayPal')).rejects.toMatchObject(LOOK_ALIKE);
      await expect(register('PAYPAI')).rejects.toMatchObject({ code: 'name_taken', reason: 'a registered client holds the name' });
      await clients.changeClient.execute(clientId, { name: 'Ajax' });
      await register('PayPa1');
    });

    it('frees the skeleton with a new name, and with the deletion', async () => {
      const first = await register('PayPal');
      await clients.changeClient.execute(first, { name: 'Ajax' });
      const second = await register('PayPaI');
      await clients.deleteClient.execute(second);
      await clients.changeClient.execute(first, { name: IN_CYRILLIC });
      await expect(register('PayPal')).rejects.toMatchObject(LOOK_ALIKE);
    });
  });

  describe('names that look alike, at the same time', () => {
    it('are given to one client, and the others hold nothing once that client has another name', async () => {
      const names = ['PayPal', 'PayPaI', 'PayPa1', 'PaypaI', IN_CYRILLIC, 'PAYPA|'];
      const outcomes = await Promise.allSettled(names.map(register));
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(won).toHaveLength(1);
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'name_taken' });
      await clients.changeClient.execute(won[0]!, { name: 'Ajax' });
      for (const name of names) await clients.deleteClient.execute(await register(name));
    });

    it('are decided one after the other: forty do not conflict once within a process', async () => {
      await Promise.allSettled(Array.from({ length: 40 }, (_, number) => register(number % 2 ? 'PayPal' : 'PayPaI')));
      expect((store as ObservedStore).conflicts).toBe(0);
    });

    it('are given to one client when one of them is registered and the other is a new name', async () => {
      const other = await register('Ajax');
      const outcomes = await Promise.allSettled([register('PayPal'), clients.changeClient.execute(other, { name: 'PayPaI' })]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe('a registration that was interrupted after the skeleton was reserved', () => {
    it('is completed by the next name with that skeleton', async () => {
      const abandoned = randomness.uuid<ClientId>();
      await new ClientNames(parts.unitOfWork, parts.keys.index.key, own).reserve('PayPal', abandoned);
      expect(await register('PayPaI')).toBe(abandoned);
      await expect(register('PayPal')).rejects.toMatchObject({ code: 'name_taken' });
    });
  });

  describe('one name in two cases that look different', () => {
    const [CAPITALS, SMALL] = ['\u039D\u039F\u0392\u0391', '\u03BD\u03BF\u03B2\u03B1'];

    it('is given to one client', async () => {
      const clientId = await register(CAPITALS);
      await expect(register(SMALL)).rejects.toMatchObject({ code: 'name_taken', reason: 'a registered client holds the name' });
      await clients.changeClient.execute(clientId, { name: SMALL });
      await register('NOBA');
    });

    it('leaves the skeleton free when a client may not have the name', async () => {
      await register(CAPITALS);
      const other = await register('Ajax');
      await expect(clients.changeClient.execute(other, { name: SMALL })).rejects.toMatchObject({ reason: 'another client holds the name' });
      expect([...(await nameStreams()).values()].at(-1)).toEqual(['NameReserved', 'NameFreed']);
    });
  });
});
