import { beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#event-store';
import { IdentityNotFound, type LinkSubject, type PersonalData, type ReadPersonalData } from '#identity';
import { LocatingTokens, type SessionId, type SubjectId } from '#kernel';
import type { Client } from '#relying-party';

import { CODE_VERIFIER } from '../testing/login-request.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
import { ExchangeToken } from './exchange-token.js';

const PERSON: PersonalData = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', country: 'EE' };
const SUBJECT = '00000000-0000-8000-8000-000000000001' as SubjectId;

describe('exchanging a code', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;
  let code: string;
  let linkSubject: () => Promise<SubjectId>;

  beforeEach(async () => {
    fixture = useCaseFixture();
    const { clock, keys, history, sessions } = fixture;
    sessionId = await fixture.begin();
    await history.confirm(sessionId);
    await history.append(sessionId, { type: 'SessionCompleted', data: { at: clock.now() } });
    const session = await sessions.get(sessionId);
    code = new LocatingTokens(keys.token, 'authorization-code').make(sessionId, 'grant' in session ? session.grant.eventId : '');
    linkSubject = async () => SUBJECT;
  });
  afterEach(() => fixture.eventStore.close());

  const exchange = () => {
    const { sessions, keys, clock, clientId } = fixture;
    const codes = new LocatingTokens(keys.token, 'authorization-code');
    const readPersonalData = { execute: async () => PERSON } as unknown as ReadPersonalData;
    const link = { execute: () => linkSubject() } as unknown as LinkSubject;
    return new ExchangeToken(sessions, codes, readPersonalData, link, fixture.checkApproval(), clock).execute({ code, codeVerifier: CODE_VERIFIER }, {
      clientId,
    } as Client);
  };

  it('answers the subject and redeems the code', async () => {
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
    expect((await fixture.history.events(sessionId)).at(-1)).toBe('CodeRedeemed');
  });

  it('refuses a code that was made for another completion of the session, and leaves the true one usable', async () => {
    const genuine = code;
    code = new LocatingTokens(fixture.keys.token, 'authorization-code').make(sessionId, 'another event');
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'forged' });
    code = genuine;
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
  });

  it('refuses with invalid_grant when the person is erased meanwhile', async () => {
    linkSubject = () => Promise.reject(new IdentityNotFound('erased'));
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'the person was erased' });
    expect((await fixture.history.events(sessionId)).at(-1)).toBe('SessionCompleted');
  });

  it('answers that the store is unavailable, not invalid_grant, and leaves the code usable', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    linkSubject = () => Promise.reject(unavailable);
    await expect(exchange()).rejects.toBe(unavailable);
    linkSubject = async () => SUBJECT;
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
  });
});
