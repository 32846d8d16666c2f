import { loadPlatformSettings } from '#service/config';
import { TestCa } from '#testkit/engine-access/test-ca';
import { CheckpointServer } from '#testkit/transparency-log/checkpoint-server';

import { checkAnchorUrl } from './check-anchor-url.js';

describe('the doctor, of the server of checkpoints', () => {
  let ca: TestCa;
  let server: CheckpointServer;
  let token: string;
  beforeAll(async () => {
    ca = await TestCa.make();
    server = await CheckpointServer.start(ca);
    token = await ca.write('token', server.token);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await ca[Symbol.asyncDispose]();
  });

  const found = (changes: Record<string, string> = {}) =>
    checkAnchorUrl(loadPlatformSettings({ ANCHOR_URL: server.url, ANCHOR_TOKEN_FILE: token, ANCHOR_CA_FILE: ca.file, ...changes }));

  it('finds nothing where it answers, and stores nothing there', async () => {
    expect(await found()).toEqual([{ subject: `ANCHOR_URL ${new URL(server.url).host}` }]);
    expect(server.files.size).toBe(0);
  });

  it('asks none where no setting names one', async () => {
    expect(await found({ ANCHOR_URL: '', ANCHOR_TOKEN_FILE: '', ANCHOR_CA_FILE: '' })).toEqual([]);
  });

  it.each([
    [
      'another token',
      async () => ({ ANCHOR_TOKEN_FILE: await ca.write('other', 'hunter2') }),
      /^ANCHOR_URL: HTTP status 401\. Correct ANCHOR_TOKEN_FILE/,
    ],
    ['no CA', async () => ({ ANCHOR_CA_FILE: '' }), /^ANCHOR_URL: \w*(VERIFY|CERT|SIGNATURE)\w*\. Set ANCHOR_CA_FILE to the CA/],
    ['an address where nothing listens', async () => ({ ANCHOR_URL: 'https://localhost:9' }), /^ANCHOR_URL: ECONNREFUSED\. Correct ANCHOR_URL/],
  ])('names %s with its remedy', async (_, changes, problem) => {
    expect(await found(await changes())).toMatchObject([{ problem: expect.stringMatching(problem) }]);
  });

  it('leaves a wrong login of the proxy to the check that names it', async () => {
    const login = await ca.write('login', 'no colon');
    const [finding] = await found({ EGRESS_PROXY: 'http://proxy.example', EGRESS_PROXY_LOGIN_FILE: login });
    expect(finding?.problem).toBeUndefined();
  });
});
