import { jest } from '@jest/globals';

import type { ClientId } from '#kernel';
import { streamName } from '#engines/event-store';

import { Clients } from '../repositories/clients.js';
import { picture } from '#testkit/relying-party/pictures';
import { clients, clock, own, parts, randomness, store, terms, useClients } from '#testkit/relying-party/registered-clients';
import { ChangeLogo } from './change-logo.js';
import { ClientLogos } from './client-logos.js';
import type { JudgedPng } from './png-chunks.js';

useClients();

const png = picture(64, 64);
const upload = png.toString('base64');

/** `decoding`: what else happens while the picture is decoded. */
const changeLogo = (decoding = async () => {}) => {
  const decoder = {
    decoded: 0,
    async reencode(judged: JudgedPng) {
      this.decoded++;
      await decoding();
      return judged.png;
    },
  };
  const logos = new ClientLogos(store, parts.unitOfWork);
  return { decoder, logos, change: new ChangeLogo({ clients: new Clients(parts.unitOfWork, own), logos, clock, decoder, needsApproval: true }) };
};
const stored = async (clientId: ClientId) => (await store.read(streamName('clientlogo', clientId))).map(({ type }) => type);

describe('the upload of a logo', () => {
  it('stores the picture', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    expect(await changeLogo().change.upload(clientId, upload)).toMatchObject({ waiting: { width: 64, height: 64 } });
    expect(await stored(clientId)).toEqual(['LogoUploaded']);
  });

  it('for an unknown client is refused before the picture is decoded', async () => {
    const { decoder, change } = changeLogo();
    await expect(change.upload(randomness.uuid<ClientId>(), upload)).rejects.toMatchObject({ code: 'client_not_found' });
    expect(decoder.decoded).toBe(0);
  });

  it('for a client that is deleted meanwhile is refused, and stores nothing', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const { change } = changeLogo(() => clients.deleteClient.execute(clientId));
    await expect(change.upload(clientId, upload)).rejects.toMatchObject({ code: 'client_not_found', reason: 'no such client' });
    expect(await stored(clientId)).not.toContain('LogoUploaded');
  });

  it('at the same time as another one leaves one picture', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const { change } = changeLogo();
    await Promise.all(Array.from({ length: 5 }, () => change.upload(clientId, upload)));
    expect(await stored(clientId)).toEqual(['LogoUploaded']);
  });
});

describe('many uploads that wait for approval', () => {
  /** Of another size each time, so that none is the one before. */
  const uploadMany = async (logos: ReturnType<typeof changeLogo>, clientId: ClientId, times: number) => {
    for (let side = 64; side < 64 + times; side += 1) await logos.change.upload(clientId, picture(side, 64).toString('base64'));
  };

  it('leave one event, with the logo that people see and the newest that waits', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const logos = changeLogo();
    await logos.change.upload(clientId, upload);
    const { waiting } = await logos.logos.find(clientId);
    await logos.change.approve(clientId, waiting?.hash ?? '');
    await uploadMany(logos, clientId, 6);
    expect(await stored(clientId)).toEqual(['LogoUploaded']);
    expect(await logos.logos.find(clientId)).toMatchObject({ shown: { width: 64 }, waiting: { width: 69 } });
  });

  it('of which a process died before it erased one are erased by the next upload, whatever it brings', async () => {
    const { clientId } = await clients.registerClient.execute(terms);
    const logos = changeLogo();
    jest.spyOn(store, 'truncateBefore').mockRejectedValueOnce(new Error('the process died'));
    await uploadMany(logos, clientId, 1);
    await expect(logos.change.upload(clientId, picture(80, 64).toString('base64'))).rejects.toThrow('the process died');
    expect(await stored(clientId)).toEqual(['LogoUploaded', 'LogoUploaded']);
    await logos.change.upload(clientId, picture(80, 64).toString('base64'));
    expect(await stored(clientId)).toEqual(['LogoUploaded']);
  });
});
