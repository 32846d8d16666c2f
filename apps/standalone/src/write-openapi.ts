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
import { audienceDocuments } from './open-api/audience-documents.js';
import { openApiDocument } from './open-api/open-api-document.js';

// Writes docs/openapi.json, the documents of the audiences, the page of the answers and the types of the answers for the code of clients and pages, or checks them with --check. It needs the build with the swagger plugin
// (nest-cli.json), which reads types and comments of requests; `npm start` serves the file and needs no such build.
const PATH = 'docs/openapi.json';
const PAGE = 'docs/specification/answers.md';
/** By the prefix of the API: the module with its answers, and where it has error codes too, their audience. */
const ANSWERS = [
  { prefix: '/relying-party/v1', path: 'libs/clients/relying-party/src/answers.ts', audience: 'relying-party' },
  { prefix: '/app/v1', path: 'libs/clients/device/src/api/answers.ts', audience: undefined },
  { prefix: '/login-ui/v1', path: 'apps/login-bff/page/src/answers.ts', audience: undefined },
];

const jsonOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
const settings = loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' });
const platform = await openPlatform(settings);
// The provider of OpenID Connect is described by its standards.
const described = applications(settings).filter((each) => each !== openId);
const apps = await Promise.all(described.map(({ create }) => create(platform)));
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const document = openApiDocument(apps, answerSchemas('apps/standalone/tsconfig.openapi.json'), version);
platform.stop();
await Promise.all(apps.map((app) => app.close()));
await platform.close();
await rm(directory, { recursive: true });

const audiences = audienceDocuments(document);
const written = [
  [PATH, jsonOf(document)],
  ...[...audiences].map(([audience, cut]) => [`docs/openapi.${audience}.json`, jsonOf(cut)]),
  [PAGE, answersPage(document)],
];
for (const { prefix, path, audience = '' } of ANSWERS) {
  const types = answerTypes(document, prefix, audiences.get(audience)?.components?.schemas?.['ErrorCode']);
  written.push([path, await format(types, { ...(await resolveConfig(path)), filepath: path })]);
}

for (const [path = '', content = ''] of written) {
  if (!process.argv.includes('--check')) await writeFile(path, content);
  else if ((await readFile(path, 'utf8')) !== content) {
    process.stderr.write(`${path} is stale: npm run docs:generate\n`);
    process.exitCode = 1;
  }
}
