import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { publishedFolders } from './published-folders.js';
import { type PublishedPackage, type Release, releaseProblems } from './release-problems.js';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'libs/clients/relying-party';
const URL = 'git+https://github.com/someone/countersign.git';

const problemsWith = (changed: Partial<PublishedPackage> = {}, release: Partial<Release> = {}): readonly string[] => {
  const sdk = { name: '@countersign/relying-party', version: '0.2.0', repository: { url: URL, directory: FOLDER }, ...changed };
  const changelog = '# Changelog\n\n## 0.2.0 (2026-12-01)\n';
  return releaseProblems({ tag: 'v0.2.0', repository: 'someone/countersign', packages: { [FOLDER]: sdk }, changelog, ...release });
};

describe('a tag', () => {
  it('may be published when packages and changelog have its version', () => {
    expect(problemsWith()).toEqual([]);
  });

  it.each(['0.2.0', 'v0.2', 'v0.2.0-rc.1', 'v0.2.0\n', ''])('is refused that names no release: %j', (tag) => {
    expect(problemsWith({}, { tag })).toEqual([expect.stringContaining('A release has a tag such as v0.2.0.')]);
  });

  it.each([
    ['a package with another version', { version: '0.1.9' }, {}, 'has version 0.1.9'],
    [
      'a package of another repository, whose provenance npm refuses',
      {},
      { repository: 'fork/countersign' },
      'must be git+https://github.com/fork/countersign.git',
    ],
    ['a package that names another folder', { repository: { url: URL, directory: 'libs' } }, {}, `must be ${FOLDER}`],
    ['a changelog without the version', {}, { changelog: '# Changelog\n\n## Unreleased\n\n0.2.0\n' }, 'npm run changelog -- 0.2.0'],
  ])('is refused for %s', (_, changed, release, sentence) => {
    expect(problemsWith(changed, release)).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('the packages of this repository', () => {
  const folders = publishedFolders(ROOT);

  it.each(folders)('%s is public, made with provenance, and names its own folder', (folder) => {
    const found = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PublishedPackage & {
      publishConfig?: object;
      private?: boolean;
    };
    expect(found).toMatchObject({ publishConfig: { access: 'public', provenance: true }, repository: { directory: folder }, license: 'Apache-2.0' });
    expect(found.private).toBeUndefined();
    expect(existsSync(join(ROOT, folder, 'README.md'))).toBe(true);
  });

  it('have one version', () => {
    const versions = folders.map((folder) => (JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PublishedPackage).version);
    expect(versions).toHaveLength(3);
    expect(new Set(versions).size).toBe(1);
  });
});
