import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import type { Language, Program } from '../../../testkit/programs/generated-clients/languages.ts';
import { RelyingParty, runDirectory, StandaloneService } from '../../support/index.js';
import { NewerService } from './newer-service.js';

/** Names of the code behind the API, and names that a generator makes up for what has none. */
const MADE_UP = /\b\w*(?:Controller|Dto|Type1|Response200|200Response|Inner)\w*\b/g;

/** Of the eight operations of a relying party, in the language that takes most. It was 28,000 to 48,000. */
const MOST_LINES = 10_000;

/** The tests of the client that is generated for a language. */
export const testGeneratedClient = (language: Language): void => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder();
    language.generate(folder);
  });

  it('has the names of the document, and none that a generator makes up', () => {
    const sources = sourcesIn(folder, language);
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap((text) => text.match(MADE_UP) ?? [])).toEqual([]);
    const text = sources.join('\n').toLowerCase().replaceAll('_', '');
    for (const name of ['createSession', 'getSession', 'exchangeToken', 'SessionStatus', 'ErrorCode']) expect(text).toContain(name.toLowerCase());
  });

  it(`has fewer than ${MOST_LINES} lines for eight operations`, () => {
    const lines = sourcesIn(folder, language).reduce((sum, text) => sum + text.split('\n').length, 0);
    expect(lines).toBeGreaterThan(1000);
    expect(lines).toBeLessThan(MOST_LINES);
  });

  const { build } = language;
  if (build) testLogin(() => build(folder));
};

/** The test of the client for another audience. */
export const testOtherAudience = (language: Language, audience: 'device' | 'admin', compile: (folder: string) => void): void => {
  it('compiles, and has no name that a generator makes up', () => {
    const folder = newFolder();
    language.generate(folder, audience);
    compile(folder);
    const sources = sourcesIn(folder, language);
    expect(sources.length).toBeGreaterThan(40);
    expect(sources.flatMap((text) => text.match(MADE_UP) ?? [])).toEqual([]);
  });
};

const testLogin = (build: () => Program): void => {
  let program: Program;
  let service: StandaloneService;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    program = build();
    service = await StandaloneService.start('generated-client', { SANDBOX: 'true' });
    const [url = ''] = service.baseUrls;
    const shop = await RelyingParty.register(service);
    const { json } = await service.send({ method: 'POST', path: '/sandbox/v1/phones', json: { persona: 'ok' } });
    env = {
      CLIENT_ID: shop.clientId,
      CLIENT_SECRET: shop.clientSecret,
      REDIRECT_URI: shop.redirectUri,
      APP_SCHEME: 'countersign',
      PHONE: `${url}/sandbox/v1/phones/${String(json?.['phoneId'])}`,
    };
  });
  afterAll(() => service.stop());

  const logIn = async (baseUrl: string): Promise<unknown> => {
    const { command, env: own } = program;
    const [file, ...args] = command;
    const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, ...own, ...env, BASE_URL: baseUrl } });
    return JSON.parse(stdout);
  };
  const loggedIn = { before: 'PENDING', after: 'CONFIRMED', subjectId: expect.stringMatching(/^[0-9a-f-]{36}$/), refused: 'invalid_grant' };

  it('compiles, logs a person in, from the session to the subjectId, and reads a refusal as the type of the document', async () => {
    expect(await logIn(service.baseUrls[0]!)).toEqual(loggedIn);
  });

  it('ignores the fields that a newer service answers, and knows the same person again', async () => {
    await using newer = await NewerService.before(service.baseUrls[0]!);
    const [again, first] = [await logIn(newer.url), await logIn(service.baseUrls[0]!)];
    expect(again).toEqual(loggedIn);
    expect(again).toEqual(first);
  });
};

const newFolder = (): string => {
  const parent = join(runDirectory(), 'generated-clients');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'client-'));
};

const sourcesIn = (folder: string, { ending }: Language): readonly string[] =>
  globSync(`client/**/*${ending}`, { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
