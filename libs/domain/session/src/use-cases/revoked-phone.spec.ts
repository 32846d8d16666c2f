import { streamName, UnitOfWork } from '#engines/event-store';
import type { FindRevocation, ReadPersonalData } from '#domain/identity';
import { LocatingTokens, type SessionId, type SubjectId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Client } from '#domain/relying-party';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { CODE_VERIFIER } from '#testkit/session/login-request';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';

import { Sessions } from '../repositories/sessions.js';
import { BuildSignature, type BuildSignatureDependencies } from './build-signature.js';
import { ExchangeToken } from './exchange-token.js';

const SUBJECT = '00000000-0000-8000-8000-000000000001' as SubjectId;
const RESULT = { container: 'Y29udGFpbmVy', signingTime: 1, name: 'Mari Maasikas', personalCode: '47101010033', country: 'EE' };

describe.each(STORE_ENGINES)('a phone that is revoked, on $engine,', ({ open, hasTransactions }) => {
  let fixture: ReturnType<typeof useCaseFixture>;
  /** Runs between the moment at which a decision looks at the phone and its append. */
  let afterLook: (() => Promise<unknown>) | undefined;
  beforeEach(async () => {
    fixture = useCaseFixture(await open(new FixedClock()));
    await fixture.history.enrol();
    afterLook = undefined;
  });
  afterEach(() => fixture.eventStore.close());

  /** As another replica does it. */
  const revoke = async (): Promise<void> => {
    const stream = streamName('device', DEVICE);
    const [last] = await fixture.eventStore.read(stream, { direction: 'backwards', limit: 1 });
    await fixture.eventStore.append(stream, last!.revision, [{ type: 'DeviceRevoked', data: { at: fixture.clock.now() } }]);
  };
  const findRevocation = {
    execute: async (...given: Parameters<FindRevocation['execute']>) => {
      const isRevoked = await fixture.findRevocation.execute(...given);
      const interrupt = afterLook;
      afterLook = undefined;
      await interrupt?.();
      return isRevoked;
    },
  } as FindRevocation;

  describe('after a login was confirmed', () => {
    let sessionId: SessionId;
    let code: string;
    beforeEach(async () => {
      sessionId = await fixture.begin();
      await fixture.history.confirm(sessionId);
      const session = await fixture.sessions.handle(sessionId, { type: 'CompleteSession' });
      code = new LocatingTokens(fixture.keys.token, 'authorization-code').make(sessionId, 'grant' in session ? session.grant.eventId : '');
    });

    const exchange = (linked: () => void = () => undefined) => {
      const unitOfWork = new UnitOfWork(fixture.eventStore, fixture.clock);
      const parts = {
        ...fixture.unchanged,
        unitOfWork,
        sessions: new Sessions(unitOfWork),
        codes: new LocatingTokens(fixture.keys.token, 'authorization-code'),
        readPersonalData: {} as ReadPersonalData,
        linkSubject: { in: async () => (linked(), SUBJECT) },
        findRevocation,
        checkApproval: fixture.checkApproval(),
        clock: fixture.clock,
      };
      return new ExchangeToken(parts).execute({ code, codeVerifier: CODE_VERIFIER }, { clientId: fixture.clientId } as Client);
    };
    const lastEvent = async () => (await fixture.history.events(sessionId)).at(-1);

    it('makes the code invalid_grant, and the session keeps its status', async () => {
      await revoke();
      await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'the device was revoked' });
      expect(await lastEvent()).toBe('SessionCompleted');
    });

    it('between the look at the phone and the append, is refused where a transaction proves the look; elsewhere the exchange came first, once', async () => {
      afterLook = revoke;
      if (hasTransactions) {
        await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'the device was revoked' });
        expect(await lastEvent()).toBe('SessionCompleted');
      } else expect(await exchange()).toEqual({ subjectId: SUBJECT });
      await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant' });
    });

    it('does not disturb an exchange whose phone accepts a PIN for another login meanwhile', async () => {
      afterLook = async () => {
        const pin = { proof: { keyId: 'pin', mac: '' }, wrongInRow: 0, wrongTries: [] };
        const data = { at: fixture.clock.now(), sessionId: fixture.randomness.uuid(), pin };
        await fixture.eventStore.append(streamName('device', DEVICE), 0, [{ type: 'PinAccepted', data }]);
      };
      expect(await exchange()).toEqual({ subjectId: SUBJECT });
    });
  });

  describe('after a signature was approved', () => {
    let sessionId: SessionId;
    beforeEach(async () => {
      sessionId = await fixture.begin({ signing: true });
      await fixture.history.scan(sessionId);
      const at = fixture.clock.now();
      await fixture.results.prepare(sessionId, { toBeSigned: 'dGV4dA==', manifest: '', signingTime: 0 });
      await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } });
      await fixture.results.store(sessionId, RESULT);
    });

    const build = () => {
      const unitOfWork = new UnitOfWork(fixture.eventStore, fixture.clock);
      const { results } = fixture;
      const dependencies = { unitOfWork, sessions: new Sessions(unitOfWork), results, findRevocation, lifetimes: { result: 60_000 } };
      return new BuildSignature(dependencies as unknown as BuildSignatureDependencies).execute(sessionId);
    };
    const isCancelled = async (): Promise<void> => {
      expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'DEVICE_REVOKED' });
      expect(await fixture.results.find(sessionId)).toEqual({});
    };

    it('before the session shows the result, cancels the session and erases the result', async () => {
      await revoke();
      await build();
      await isCancelled();
    });

    it('between the look at the phone and the append, cancels it where a transaction proves the look; elsewhere the signature came first', async () => {
      afterLook = revoke;
      await build();
      if (hasTransactions) return isCancelled();
      expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'COMPLETED' });
      expect(await fixture.results.read(sessionId)).toEqual(RESULT);
    });

    it('after the session showed the result, changes nothing', async () => {
      await build();
      await revoke();
      await build();
      expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'COMPLETED' });
      expect(await fixture.results.read(sessionId)).toEqual(RESULT);
    });
  });
});
