import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { Device, ReadSigningCertificate, SubjectIds } from '#domain/identity';
import { Secret, type SessionId } from '#kernel';
import type { FindClient } from '#domain/relying-party';

import { QrFrames } from '../domain/qr-frames.js';
import { RefusedDevices } from '../domain/refused-devices.js';
import { VerificationCodes } from '../domain/verification-codes.js';
import { WaitingPages } from '../domain/waiting-pages.js';
import { Statements } from '../repositories/statements.js';
import { ScanWatch } from '../scan-watch.js';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { CheckSigner } from './check-signer.js';
import { PrepareStatement } from './prepare-statement.js';
import { ScanSession } from './scan-session.js';

const KEY = new Secret(Buffer.alloc(32, 1));

describe('the scan of a login', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;
  /** How often values were encrypted and decrypted. */
  let costs: { sealed: number; opened: number };

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
    costs = { sealed: 0, opened: 0 };
    const { sealer } = fixture;
    const [seal, open] = [sealer.seal.bind(sealer), sealer.open.bind(sealer)];
    sealer.seal = (...given) => ((costs.sealed += 1), seal(...given));
    sealer.open = ((...given: Parameters<typeof open>) => ((costs.opened += 1), open(...given))) as typeof open;
  });
  afterEach(() => fixture.eventStore.close());

  const scan = () => {
    const { unitOfWork, sessions, sealer, results, clock, randomness, identityId, unchanged } = fixture;
    const device: Device = { deviceId: DEVICE, identityId, status: 'ACTIVE', authenticationKey: {} };
    const useCase = new ScanSession({
      unitOfWork,
      sessions,
      sealer,
      findClient: { ...unchanged.findClient, execute: async () => ({ name: 'Shop', enabled: true, redirectUris: [] }) } as unknown as FindClient,
      enrolmentProof: unchanged.enrolmentProof,
      subjectIds: { accepted: () => [] } as unknown as SubjectIds,
      prepareStatement: new PrepareStatement({} as ReadSigningCertificate, new CheckSigner(undefined), clock, randomness),
      statements: new Statements(results, sealer),
      refusedDevices: new RefusedDevices(KEY),
      qrFrames: new QrFrames(KEY),
      verificationCodes: new VerificationCodes(KEY),
      waitingPages: new WaitingPages(KEY),
      scanWatch: new ScanWatch(clock, { scanned: () => undefined, unusual: () => undefined }),
      loginUrl: 'https://login.example/',
    });
    return useCase.execute({ sessionId }, device);
  };

  it("decrypts the client's texts once, and nothing that it has encrypted itself", async () => {
    expect(await scan()).toMatchObject({ relyingPartyName: 'Shop', signatureAlgorithm: 'ES256', toBeSigned: expect.any(String) });
    expect(costs).toEqual({ sealed: 1, opened: 1 });
  });

  it('answers a repetition as the first time, from the stored values', async () => {
    const first = await scan();
    costs.opened = 0;
    expect(await scan()).toEqual(first);
    expect(costs).toEqual({ sealed: 1, opened: 2 });
  });

  it('answers two requests of one device at the same time alike: the statement that is stored', async () => {
    const [one, other] = await Promise.all([scan(), scan()]);
    expect(other).toEqual(one);
    expect(await scan()).toEqual(one);
  });
});
