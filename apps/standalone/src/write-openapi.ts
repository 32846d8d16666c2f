import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { loadPlatformSettings } from '#service/config';
import { openPlatform } from '#service/platform';

import { openId } from '../../openid/src/app.js';
import { applications } from './applications.js';
import { answerSchemas } from './open-api/answer-schemas.js';
import { answerTypes } from './open-api/answer-types.js';
import { answersPage } from './open-api/answers-page.js';
import { openApiDocument } from './open-api/open-api-document.js';

// Writes docs/openapi.json, the page of its answers and the types of the answers for the code of clients and pages, or checks them with --check. It needs the build with the swagger plugin
// (nest-cli.json), which reads types and comments of requests; `npm start` serves the file and needs no such build.
const PATH = 'docs/openapi.json';
const PAGE = 'docs/specification/answers.md';
/** By the prefix of the API: the module with its answers. */
const ANSWERS = {
  '/relying-party/v1': 'libs/clients/relying-party/src/answers.ts',
  '/app/v1': 'libs/clients/device/src/api/answers.ts',
  '/login-ui/v1': 'apps/login-bff/page/src/answers.ts',
};

const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
const settings = loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' });
const platform = await openPlatform(settings);
// The provider of OpenID Connect is described by its standards.
const described = applications(settings).filter((each) => each !== openId);
const apps = await Promise.all(described.map(({ create }) => create(platform)));
const document = openApiDocument(apps, answerSchemas('apps/standalone/tsconfig.openapi.json'));
platform.stop();
await Promise.all(apps.map((app) => app.close()));
await platform.close();
await rm(directory, { recursive: true });

const written = [
  [PATH, `${JSON.stringify(document, null, 2)}\n`],
  [PAGE, answersPage(document)],
];
for (const [prefix, path] of Object.entries(ANSWERS))
  written.push([path, await format(answerTypes(document, prefix), { ...(await resolveConfig(path)), filepath: path })]);

for (const [path = '', content = ''] of written) {
  if (!process.argv.includes('--check')) await writeFile(path, content);
  else if ((await readFile(path, 'utf8')) !== content) {
    process.stderr.write(`${path} is stale: npm run docs:generate\n`);
    process.exitCode = 1;
  }
}
