/** `npm run release:check -- v0.2.0`: says why the tag must not be published, and ends with 1 then. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { publishedFolders } from './published-folders.ts';
import { type PublishedPackage, releaseProblems } from './release-problems.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const packages = Object.fromEntries(publishedFolders(ROOT).map((folder) => [folder, JSON.parse(read(`${folder}/package.json`)) as PublishedPackage]));
const [, , tag = ''] = process.argv;
const problems = releaseProblems({ tag, repository: process.env['GITHUB_REPOSITORY'], packages, changelog: read('CHANGELOG.md') });
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${tag} may be published: ${Object.keys(packages).join(', ')}.`);
