import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

import {
  directory,
  base,
  standalone,
  useSandbox,
  post,
  basic,
  newSession,
  statusOf,
  newPhone,
  qrOf,
  scan,
  tokenOf,
  restart,
} from './sandbox.fixture.js';

useSandbox();

describe('a sandbox that was started without redirect URIs', () => {
  it('has no client whose secret is public', async () => {
    const authorization = `Basic ${Buffer.from('5a4db000-0000-4000-8000-000000000001:sandbox-secret-that-only-a-sandbox-accepts').toString('base64')}`;
    expect(standalone.sandbox).toBeUndefined();
    expect((await fetch(`${base}/relying-party/v1/subject-migrations`, { headers: { authorization } })).status).toBe(401);
  });
});

describe('POST /sandbox/v1/phones', () => {
  it('creates a person with an enrolled phone', async () => {
    const { status, body } = await post('/sandbox/v1/phones', { persona: 'ok' });
    expect(status).toBe(201);
    expect(body).toEqual({
      phoneId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      persona: 'ok',
      identity: {
        identityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        givenName: 'Sandra',
        familyName: expect.any(String),
        personalCode: expect.stringMatching(/^SANDBOX-[0-9a-f]{12}$/),
        dateOfBirth: '1985-05-12',
        country: 'EE',
        email: expect.any(String),
        phoneNumber: expect.any(String),
      },
    });
  });

  it('creates another person each time', async () => {
    const [one, two] = [await post('/sandbox/v1/phones', { persona: 'ok' }), await post('/sandbox/v1/phones', { persona: 'ok' })];
    expect(one.body.identity.personalCode).not.toBe(two.body.identity.personalCode);
  });

  it.each([
    ['persona', {}],
    ['persona', { persona: 'evil' }],
    ['persona', { persona: 'toString' }],
    ['delay_seconds', { persona: 'slow', delay_seconds: 0 }],
    ['delay_seconds', { persona: 'slow', delay_seconds: 601 }],
    ['delay_seconds', { persona: 'ok', delay_seconds: 1 }],
    ['name', { persona: 'ok', name: 'x' }],
  ])('refuses a wrong %s (%#)', async (field, body) => {
    const answer = await post('/sandbox/v1/phones', body);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'invalid_request']);
    expect(answer.body.defaultTranslation).toContain(field);
  });
});

describe('a scripted phone', () => {
  it('confirms: persona ok', async () => {
    const sessionId = await newSession({ title: 'Order 7' });
    const { status, body } = await scan(await newPhone('ok'), qrOf(sessionId));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'CONFIRMED', scanned: { sessionId, relyingPartyName: 'Harbour Library', title: 'Order 7' } });
    expect((await tokenOf(sessionId)).body.subjectId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('signs a document: persona ok', async () => {
    const { body: session } = await post('/relying-party/v1/session', { signature_type: 'SIGNING', signed_data_hash: 'a'.repeat(128) }, basic());
    const { status, body } = await scan(await newPhone('ok'), qrOf(session.sessionId));
    expect([status, body.status]).toEqual([200, 'SCANNED']);
    let seen = await statusOf(session.sessionId);
    while (seen === 'SCANNED') seen = await statusOf(session.sessionId);
    expect(seen).toBe('COMPLETED');
  });

  it('gives its person one subjectId, and another person another one', async () => {
    const phone = await newPhone('ok');
    const subjects: string[] = [];
    for (const phoneId of [phone, phone, await newPhone('ok')]) {
      const sessionId = await newSession();
      await scan(phoneId, qrOf(sessionId));
      subjects.push((await tokenOf(sessionId)).body.subjectId);
    }
    expect(subjects[1]).toBe(subjects[0]);
    expect(subjects[2]).not.toBe(subjects[0]);
  });

  it.each(['decline', 'leave'])('ends the session: persona %s', async (persona) => {
    const sessionId = await newSession();
    expect(await scan(await newPhone(persona), qrOf(sessionId))).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', scanned: { sessionId } },
    });
    expect(await statusOf(sessionId)).toBe('CANCELLED');
  });

  it('locks itself by wrong PINs, for three hours: persona wrong-pin', async () => {
    const phone = await newPhone('wrong-pin');
    const sessionId = await newSession();
    expect(await scan(phone, qrOf(sessionId))).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    expect(await statusOf(sessionId)).toBe('CANCELLED');
    expect(await scan(phone, qrOf(await newSession()))).toMatchObject({ status: 423, body: { errorCode: 'device_locked' } });
    await post('/sandbox/v1/clock', { advance_seconds: 3 * 3600 });
    expect(await scan(phone, qrOf(await newSession()))).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  });

  it('waits before it confirms: persona slow', async () => {
    const phone = await newPhone('slow', { delay_seconds: 1 });
    const sessionId = await newSession();
    const acting = scan(phone, qrOf(sessionId));
    let seen = await statusOf(sessionId);
    while (seen === 'PENDING') seen = await statusOf(sessionId);
    expect(seen).toBe('SCANNED');
    expect(await acting).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });

  it.each([
    ['minor', false, true],
    ['no-birthdate', false, false],
    ['ok', true, true],
  ])('has a person of the right age: persona %s', async (persona, grownUp, born) => {
    const properties = Buffer.from(JSON.stringify({ attributes: ['dateOfBirth'], predicates: ['ageOver18'] })).toString('base64url');
    const sessionId = await newSession({ properties });
    const { body } = await scan(await newPhone(persona), qrOf(sessionId));
    expect(body.scanned.requested).toEqual({ attributes: ['dateOfBirth'], predicates: ['ageOver18'] });
    const token = (await tokenOf(sessionId)).body;
    expect(token.predicates).toEqual({ ageOver18: grownUp });
    expect('dateOfBirth' in token.attributes).toBe(born);
  });

  it('signs the names of the properties to which the token response then answers, and no others', async () => {
    const requested = { attributes: ['country'], predicates: ['ageOver18', 'ageOver21'] };
    const sessionId = await newSession({ properties: Buffer.from(JSON.stringify(requested)).toString('base64url') });
    const { body } = await scan(await newPhone('minor'), qrOf(sessionId));
    expect(JSON.parse(Buffer.from(body.scanned.toBeSigned, 'base64').toString())).toMatchObject({ sessionId, requested });
    const { subjectId: _, ...answered } = (await tokenOf(sessionId)).body;
    expect(answered).toEqual({ attributes: { country: 'EE' }, predicates: { ageOver18: false, ageOver21: false } });
  });

  it('answers the refusal that it received', async () => {
    const sessionId = await newSession();
    await scan(await newPhone('ok'), qrOf(sessionId));
    expect(await scan(await newPhone('ok'), qrOf(sessionId))).toMatchObject({ status: 409, body: { errorCode: 'session_already_scanned' } });
    const unknown = qrOf('00000000-0000-4000-8000-000000000000');
    expect(await scan(await newPhone('ok'), unknown)).toMatchObject({ status: 404, body: { errorCode: 'session_not_found' } });
  });

  it.each(['', 'hello', '00000000-0000-4000-8000-000000000000', 'other://app/scan?sessionId=00000000-0000-4000-8000-000000000000&returnUrl=x'])(
    'refuses a text that is not a QR code of the service: %p',
    async (qr) => {
      expect(await scan(await newPhone('ok'), qr)).toMatchObject({
        status: 400,
        body: { errorCode: 'invalid_request', defaultTranslation: expect.stringContaining('`qr`') },
      });
    },
  );

  it.each(['00000000-0000-4000-8000-000000000000', 'x', '%00'])('is not found by an unknown id: %s', async (phoneId) => {
    expect(await scan(phoneId, qrOf(await newSession()))).toMatchObject({ status: 404, body: { errorCode: 'phone_not_found' } });
  });
});

describe('POST /sandbox/v1/clock', () => {
  it('moves the clock forward, past the end of a session', async () => {
    const sessionId = await newSession();
    const before = standalone.platform.clock.now();
    const { status, body } = await post('/sandbox/v1/clock', { advance_seconds: 121 });
    expect(status).toBe(200);
    expect(body.now).toBeGreaterThanOrEqual(Math.floor(before / 1000) + 121);
    expect(await statusOf(sessionId)).toBe('EXPIRED');
    expect(await scan(await newPhone('ok'), qrOf(sessionId))).toMatchObject({ status: 410, body: { errorCode: 'session_expired' } });
  });

  it.each([0, -1, 1.5, '60', 366 * 86_400 + 1, 1e300])('refuses %p seconds', async (advance_seconds) => {
    const answer = await post('/sandbox/v1/clock', { advance_seconds });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'invalid_request']);
    expect(answer.body.defaultTranslation).toContain('advance_seconds');
  });
});

describe('POST /sandbox/v1/faults', () => {
  it('switches the time-stamp service off and on', async () => {
    expect(await post('/sandbox/v1/faults', { time_stamp_down: true })).toEqual({ status: 200, body: { time_stamp_down: true } });
    expect(await post('/sandbox/v1/faults', { time_stamp_down: false })).toEqual({ status: 200, body: { time_stamp_down: false } });
  });

  it.each([{ time_stamp_down: 'yes' }, { time_stamp_down: true, other: true }, { other: 1 }, {}])('refuses an invalid fault: %j', async (body) => {
    expect(await post('/sandbox/v1/faults', body)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });

  it('names the field', async () => {
    expect((await post('/sandbox/v1/faults', { no_such: true })).body.defaultTranslation).toContain('`no_such`');
  });
});

describe('a web page', () => {
  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['', 415],
  ])('cannot send a form of type %p', async (type, status) => {
    const response = await fetch(`${base}/sandbox/v1/phones`, { method: 'POST', body: new Blob(['{"persona":"ok"}'], { type }) });
    expect(response.status).toBe(status);
  });

  it('is not allowed by CORS', async () => {
    const response = await fetch(`${base}/sandbox/v1/phones`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('cannot call through a foreign host name that resolves to this address', async () => {
    const status = await new Promise((resolve) => {
      request(`${base}/sandbox/v1/phones`, { method: 'POST', headers: { host: 'rebound.example', 'content-type': 'application/json' } }, (response) =>
        resolve(response.resume().statusCode),
      ).end('{"persona":"ok"}');
    });
    expect(status).toBe(403);
  });
});

describe('after a restart', () => {
  it('phones and clock are unchanged, and the file holds no phone key in the clear', async () => {
    const phone = await newPhone('ok');
    const before = standalone.platform.clock.now();
    await standalone.close();
    const file = await readFile(join(directory, 'data/countersign.sqlite'), 'latin1');
    expect(file).toContain('SandboxPhoneKept');
    expect(file).not.toContain('pinKey');
    await restart();
    expect(standalone.platform.clock.now()).toBeGreaterThanOrEqual(before);
    expect(await scan(phone, qrOf(await newSession()))).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });
});
