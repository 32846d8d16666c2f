import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { anchorsOf, brokenCitations, missingTests, readRepository, stepsOfWalks, wrongWalks } from './citations.js';

const HERE = 'apps/standalone/test/';
/** Made from the subjects of commits. */
const GENERATED = 'CHANGELOG.md';

const repository = readRepository(join(import.meta.dirname, '../../..'));

describe('citations of the repository', () => {
  it('lead somewhere', () => {
    const checked = [...repository.keys()].filter((path) => !path.startsWith(`${HERE}citations`) && path !== GENERATED);
    expect(checked.length).toBeGreaterThan(500);
    expect(checked.flatMap((path) => brokenCitations(repository, path))).toEqual([]);
  });
});

describe('docs/conformance.md', () => {
  it('names tests that exist', () => {
    expect(repository.get('docs/conformance.md')!.match(/ › /g)!.length).toBeGreaterThan(200);
    expect(missingTests(repository, 'docs/conformance.md')).toEqual([]);
  });

  it('means one file by each name: no suite against separate services is called as one of the conformance suite is', () => {
    const names = [...repository.keys()].flatMap((path) => /([\w-]+)\.(?:conformance|distributed)\.spec\.ts$/.exec(path)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('walks through files that exist and hold the names beside them', () => {
    const { steps, wrong } = wrongWalks(repository, 'docs/architecture.md');
    expect(wrong).toEqual([]);
    expect(steps).toBeGreaterThan(40);
    expect(
      wrongWalks(
        new Map([
          ['docs/a.md', '| `libs/a.ts` | `One` |'],
          ['libs/a.ts', 'class Other {}'],
        ]),
        'docs/a.md',
      ).wrong,
    ).toHaveLength(1);
  });

  it('makes each walk shorter than it was at 3c739ed8', () => {
    const before = {
      'A login, from POST session to the webhook': 14,
      'A signature': 10,
      'A webhook': 12,
      'The end of a session by its deadline': 6,
      'An erasure': 10,
      'The start of a service': 9,
    };
    const steps = stepsOfWalks(repository, 'docs/architecture.md');
    expect(Object.keys(steps)).toEqual(Object.keys(before));
    expect(Object.entries(before).filter(([walk, was]) => steps[walk]! >= was)).toEqual([]);
  });
});

describe('a named test', () => {
  const files = new Map([
    [
      'test/conformance/token.conformance.spec.ts',
      "describe('code', () => { it.each(MANY)('may not be %s', check); it('doesn\\'t last', check); });",
    ],
    ['libs/a/src/lane.spec.ts', 'it("counts", check);'],
  ]);
  const missing = (name: string): number => missingTests(new Map([...files, ['docs/map.md', `| rule | \`${name}\` |`]]), 'docs/map.md').length;

  it.each(['token › code › …', 'token › code › may not be blank', "token › code › doesn't last", 'lane.spec › counts'])('exists: %s', (name) => {
    expect(missing(name)).toBe(0);
  });

  it.each(['tokens › code › …', 'token › codes › …', 'token › code › may be blank', 'lane › counts', 'lane.e2e › counts'])(
    'is missing: %s',
    (name) => {
      expect(missing(name)).toBe(1);
    },
  );
});

describe('a citation', () => {
  const pages = new Map([
    ['docs/specification/app.md', '# The phone\n\n## POST scan\n\n## POST scan\n'],
    ['docs/adr/0001-stack.md', '# 0001\n'],
    ['docs/adr/0007-store.md', '# 0007\n'],
    ['libs/a/src/a.ts', ''],
    ['libs/a/src/a.spec.ts', "it('adds one', () => {});"],
  ]);
  const broken = (path: string, content: string): number => brokenCitations(new Map([...pages, [path, content]]), path).length;

  it.each([
    ['a heading of the specification', 'libs/b.ts', '/** As decided (specification/app.md#post-scan). */'],
    ['a page of the specification', 'libs/b.ts', '// specification/app.md'],
    ['a decision record', 'libs/b.ts', '// docs/adr/0007'],
    ['a decision record whose name ends like a text that is not here', 'docs/b.md', '[stack](adr/0001-stack.md)'],
    ['a file', 'libs/b.ts', '// see libs/a/src/a.ts'],
    ['a standard', 'libs/b.ts', '// RFC 7636 §4.6, https://example.com/libs/none.ts'],
    ['a link to a heading', 'docs/b.md', '[scan](specification/app.md#post-scan-1)'],
    ['a link within the page', 'docs/b.md', '## Here\n\n[here](#here)'],
    ['a link to a folder', 'docs/b.md', '[decisions](adr)'],
    ['a test by its title', 'docs/b.md', '[a.spec.ts](../libs/a/src/a.spec.ts) › "adds one"'],
  ])('of %s may stand', (_, path, content) => {
    expect(broken(path, content)).toBe(0);
  });

  it.each([
    ['a heading that does not exist', 'libs/b.ts', '/** specification/app.md#post-none */'],
    ['a page that does not exist', 'libs/b.ts', "const text = 'specification/none.md#post-scan';"],
    ['a decision record that does not exist', 'libs/b.ts', '// docs/adr/0099'],
    ['a file that does not exist', 'libs/b.ts', '// see libs/a/src/none.ts'],
    ['a file that does not exist, in a document', 'docs/b.md', 'see `libs/a/src/none.ts`'],
    ['a link that leads nowhere', 'docs/b.md', '[scan](specification/none.md)'],
    ['a heading that a linked page does not have', 'docs/b.md', '[scan](specification/app.md#none)'],
    ['a title that the test file does not have', 'docs/b.md', '[a.spec.ts](../libs/a/src/a.spec.ts) › "adds two"'],
    ['a text that is not in the repository', 'libs/b.ts', '/** As decided (api-extensions 1.24). */'],
    ['a section of the interface by its title', 'libs/b.ts', '/** Specification, "POST token". */'],
    ['a numbered section of a text that is not in the repository', 'libs/b.ts', '// reliability 4, drill 11'],
  ])('of %s is broken', (_, path, content) => {
    expect(broken(path, content)).toBeGreaterThan(0);
  });

  it('goes by the anchors that GitHub gives', () => {
    expect([...anchorsOf("# The client's own\n## `POST` /app/v1\n## A\n## A\n```\n# no heading\n```\n")]).toEqual([
      'the-clients-own',
      'post-appv1',
      'a',
      'a-1',
    ]);
  });
});
