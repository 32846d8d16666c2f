import { beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { IdentityNotFound, type PersonalData } from '#domain/identity';
import { LocatingTokens, type SessionId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { CODE_VERIFIER } from '#testkit/session/login-request';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
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
    await complete();
    linkSubject = async () => SUBJECT;
  });
  afterEach(() => fixture.eventStore.close());

  /** `person`: the data that the exchange reads; null for an erased person. */
  const exchange = ({ codeVerifier = CODE_VERIFIER, client = fixture.clientId, person = PERSON as PersonalData | null } = {}) => {
    const { sessions, unchanged, unitOfWork, findRevocation, keys, clock } = fixture;
    const codes = new LocatingTokens(keys.token, 'authorization-code');
    const readPersonalData = { ofRegistered: async () => person ?? undefined };
    const link = { in: () => linkSubject() };
    const checkApproval = fixture.checkApproval();
    const useCase = new ExchangeToken({
      ...unchanged,
      unitOfWork,
      sessions,
      codes,
      readPersonalData,
      linkSubject: link,
      findRevocation,
      checkApproval,
      clock,
    });
    return useCase.execute({ code, codeVerifier }, { clientId: client } as Client);
  };
  const complete = async (changes: Parameters<typeof fixture.history.begin>[1] = {}): Promise<void> => {
    const { clock, keys, history, sessions, clientId } = fixture;
    sessionId = await history.begin(clientId, changes);
    await history.confirm(sessionId);
    await history.append(sessionId, { type: 'SessionCompleted', data: { at: clock.now() } });
    const session = await sessions.get(sessionId);
    code = new LocatingTokens(keys.token, 'authorization-code').make(sessionId, 'grant' in session ? session.grant.eventId : '');
  };
  const isUnused = async (): Promise<boolean> => (await fixture.history.events(sessionId)).at(-1) === 'SessionCompleted';

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

  it('redeems a code once', async () => {
    await exchange();
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant' });
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
  });

  it.each<readonly [string, () => Parameters<typeof exchange>[0]]>([
    ['the verifier of another login', () => ({ codeVerifier: `${CODE_VERIFIER}x` })],
    ['another client', () => ({ client: fixture.randomness.uuid() })],
  ])('refuses %s, and leaves the code usable', async (_, given) => {
    await expect(exchange(given())).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isUnused()).toBe(true);
    expect(await exchange()).toEqual({ subjectId: SUBJECT });
  });

  it('refuses a value that is no code', async () => {
    code = 'code';
    await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'not a code' });
  });

  it('refuses the code of a session that is not completed, and of one that does not exist', async () => {
    const codes = new LocatingTokens(fixture.keys.token, 'authorization-code');
    const { history, sessions } = fixture;
    const confirmed = await fixture.begin();
    await history.confirm(confirmed);
    const session = await sessions.get(confirmed);
    for (const made of [codes.make(confirmed, 'grant' in session ? session.grant.eventId : ''), codes.make(fixture.randomness.uuid(), 'an event')]) {
      code = made;
      await expect(exchange()).rejects.toMatchObject({ code: 'invalid_grant', reason: 'no code handed out' });
    }
  });

  it('answers the properties that were asked for, by the day of the exchange', async () => {
    fixture.clock.advance(Date.UTC(2030, 0, 31, 23, 59) - fixture.clock.now());
    await complete({ requested: { attributes: ['name'], predicates: ['ageOver18', 'ageOver19'] } });
    const person = { ...PERSON, dateOfBirth: '2012-01-31' };
    const properties = { attributes: { name: 'Mari Maasikas' }, predicates: { ageOver18: true, ageOver19: false } };
    expect(await exchange({ person })).toEqual({ subjectId: SUBJECT, ...properties });
  });

  it.each([
    ['US', '2030-01-31T10:00:00Z'],
    ['NZ', '2030-01-30T11:00:00Z'],
    ['KI', '2030-01-30T12:00:00Z'],
    ['XK', '2030-01-31T12:00:00Z'],
  ])('makes no person older before the birthday has begun in the whole country: %s', async (country, birthday) => {
    const person = { ...PERSON, country, dateOfBirth: '2012-01-31' };
    fixture.clock.advance(Date.parse(birthday) - 1 - fixture.clock.now());
    const requested = { attributes: [], predicates: ['ageOver18', 'ageOver17'] };
    await complete({ requested });
    expect((await exchange({ person })).predicates).toEqual({ ageOver18: false, ageOver17: true });
    await complete({ requested });
    fixture.clock.advance(1);
    expect((await exchange({ person })).predicates).toEqual({ ageOver18: true, ageOver17: true });
  });

  it.each([
    ['2030-03-01T09:59:59Z', false],
    ['2030-03-01T10:00:00Z', true],
  ])('makes a person of the United States who was born on 29 February older on 1 March there: %s is %s', async (now, older) => {
    fixture.clock.advance(Date.parse(now) - fixture.clock.now());
    await complete({ requested: { attributes: [], predicates: ['ageOver18'] } });
    const person = { ...PERSON, country: 'US', dateOfBirth: '2012-02-29' };
    expect((await exchange({ person })).predicates).toEqual({ ageOver18: older });
  });

  it('refuses with invalid_grant when the data that was asked for is erased', async () => {
    await complete({ requested: { attributes: ['name'], predicates: [] } });
    await expect(exchange({ person: null })).rejects.toMatchObject({ code: 'invalid_grant', reason: 'the person was erased' });
    expect(await isUnused()).toBe(true);
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
