import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { openPlatform } from '#service/platform';

import { applications } from './applications.js';
import { openApiDocument } from './open-api/open-api-document.js';

// Writes docs/openapi.json, or checks it with --check. It needs the build with the swagger plugin (nest-cli.json), which reads types and
// comments; `npm start` serves the file and needs no such build.
const PATH = 'docs/openapi.json';

const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
const settings = loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' });
const platform = await openPlatform(settings);
const apps = await Promise.all(applications(settings).map(({ create }) => create(platform)));
const content = `${JSON.stringify(openApiDocument(apps), null, 2)}\n`;
platform.stop();
await Promise.all(apps.map((app) => app.close()));
await platform.close();
await rm(directory, { recursive: true });

if (!process.argv.includes('--check')) await writeFile(PATH, content);
else if ((await readFile(PATH, 'utf8')) !== content) {
  process.stderr.write(`${PATH} is stale: npm run docs:generate\n`);
  process.exitCode = 1;
}
