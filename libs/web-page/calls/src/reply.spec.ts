import { readReply } from './reply.js';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const readName = ({ name }: Readonly<Record<string, unknown>>) => (typeof name === 'string' ? name : undefined);

describe('an answer of the service', () => {
  it('is the value that the given function reads from its body', async () => {
    expect(await readReply(answer(200, { name: 'A' }), readName)).toEqual({ kind: 'OK', body: 'A' });
  });

  it('is a refusal with its code, never with the text meant for developers', async () => {
    const body = { errorCode: 'wrong_pin', defaultTranslation: 'no!', payload: { attemptsLeft: 2 } };
    expect(await readReply(answer(403, body), readName)).toEqual({
      kind: 'REFUSED',
      status: 403,
      errorCode: 'wrong_pin',
      payload: { attemptsLeft: 2 },
    });
  });

  it('is a refusal without a code when a gateway answered in its place', async () => {
    expect(await readReply(answer(404, '<html>'), readName)).toEqual({ kind: 'REFUSED', status: 404 });
  });

  it.each([429, 500, 502, 503])('is temporary with %i', async (status) => {
    expect(await readReply(answer(status, {}, { 'retry-after': '3' }), readName)).toEqual({ kind: 'UNREACHABLE', retryAfterMs: 3000 });
    expect(await readReply(answer(status, ''), readName)).toEqual({ kind: 'UNREACHABLE' });
  });

  it('counts as unreachable when the body is not the expected one', async () => {
    expect(await readReply(answer(200, '<html>captive portal'), readName)).toEqual({ kind: 'UNREACHABLE' });
    expect(await readReply(answer(200, 'null'), readName)).toEqual({ kind: 'UNREACHABLE' });
  });
});
