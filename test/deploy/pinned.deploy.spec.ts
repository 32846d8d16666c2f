import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const WORKFLOWS = '.github/workflows';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const found = (path: string, pattern: RegExp): readonly string[] => [...read(path).matchAll(pattern)].map(([, name = '']) => name);

const workflows = readdirSync(join(ROOT, WORKFLOWS)).map((name) => `${WORKFLOWS}/${name}`);

/** Built from this repository, not fetched. */
const OWN = 'countersign';
/** The publisher of these images gives each release its own tag. Operators choose among three of them for compose; CI runs those of the matrix. */
const WITHOUT_DIGEST = ['${EVENT_STORE_IMAGE:-eventstore/eventstore:24.10}', '${{ matrix.eventstore }}'];

describe('the files that build and run the service', () => {
  it('name actions by their commit, with the release beside it', () => {
    const actions = workflows.flatMap((path) => found(path, /^\s*(?:- )?uses: (.+)$/gm));
    expect(actions.length).toBeGreaterThan(4);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('name images by their digest', () => {
    const images = [
      ...['docker-compose.yml', ...workflows].flatMap((path) => found(path, /^\s*(?:image|container): (.+)$/gm)),
      ...found('deploy/Dockerfile', /^FROM (\S+)/gm),
    ].filter((image) => image !== OWN);
    expect(images.length).toBeGreaterThan(9);
    expect([...new Set(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)))]).toEqual(WITHOUT_DIGEST);
  });

  it('run the suites on a server of each line that operators may choose', () => {
    const [row = ''] = found(`${WORKFLOWS}/ci.yml`, /^\s*eventstore: (\[.+\])$/gm);
    const images = JSON.parse(row) as string[];
    const lines = found('docker-compose.yml', /^\s*# Verified: (.+?)\. /gm)[0]?.split(', ') ?? [];
    expect(lines).toHaveLength(3);
    expect(lines.map((line) => images.filter((image) => image.startsWith(line)).length)).toEqual([1, 1, 1]);
  });

  it('install exactly the locked packages', () => {
    const installing = ['.ci/run', 'deploy/Dockerfile', ...workflows].flatMap((path) => found(path, /\bnpm (ci|i|install)\b(?! -g)/g));
    expect(installing.length).toBeGreaterThan(3);
    expect(installing.filter((command) => command !== 'ci')).toEqual([]);
  });

  it('name one digest for each tag', () => {
    const digests = new Map<string, Set<string>>();
    for (const path of ['docker-compose.yml', 'deploy/Dockerfile', ...workflows]) {
      for (const [, tag = '', digest = ''] of read(path).matchAll(/(\S+)@(sha256:[0-9a-f]{64})/g)) digests.set(tag, (digests.get(tag) ?? new Set()).add(digest));
    }
    expect(digests.size).toBeGreaterThan(7);
    expect([...digests].filter(([, known]) => known.size > 1)).toEqual([]);
  });
});
