import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** The text files of a repository by their path from its root, with `/`. */
type Repository = ReadonlyMap<string, string>;

const TEXT = /\.(ts|mts|tsx|js|mjs|css|html|md|yaml|yml|json|sh|conf|env)$|(^|\/)(Dockerfile|run|readme)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'data', '.git', '.cache', '.kafka', 'coverage', 'pkits', 'package-lock.json']);

export const readRepository = (root: string): Repository => {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) visit(folder, entry);
  };
  const visit = (folder: string, entry: Dirent): void => {
    if (SKIPPED.has(entry.name)) return;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) walk(path);
    else if (entry.isFile()) files.set(path, TEXT.test(path) ? readFileSync(join(root, path), 'utf8') : '');
  };
  walk('');
  return files;
};

/** The anchors that GitHub gives to the headings of a Markdown page. */
export const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
};

const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutFences = (markdown: string): string => markdown.replaceAll(/^```.*?^```/gms, '');

/** Citations of texts that do not lie in the repository. */
const ABSENT_TEXTS = [
  /api-extensions/i,
  /decision papers?/i,
  /specification[,:]? (?:rows? \d|[“"])/i,
  /\bextensions? \d/i,
  /interface-spec|house-style|(?<![\w-])(?:findings|stack)\.md/i,
  /\b(?:architecture|reliability|signing)(?:\.md`?)?,? (?:section )?\d/i,
  /reliability paper/i,
];

const ROOTS = 'apps|libs|test|tools|bench|deploy|docs|examples';
const FILE = new RegExp(`(?<![\\w./-])(?:${ROOTS})/[\\w./-]+\\.(?:ts|mjs|js|md|json|yaml|yml|sh|css|png)\\b(?:#[\\w-]+)?`, 'g');
const SPECIFICATION = /(?<![\w./-])specification\/[\w-]+\.md(?:#[\w-]+)?/g;
const DECISION = /(?:\bADR |docs\/adr\/)(\d{4})\b/g;
const LINK = /\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?\)/g;
const NAMED_TEST = /\]\(([^()\s]+\.(?:spec|check)\.ts)\) › "([^"]+)"/g;

/** The broken citations of a file, a line each. */
export const brokenCitations = (repository: Repository, path: string): readonly string[] => {
  const content = repository.get(path) ?? '';
  const markdown = path.endsWith('.md');
  const prose = markdown ? withoutFences(content) : content;
  const broken: string[] = [];
  const require = (holds: boolean, citation: string): void => void (holds || broken.push(`${path}: ${citation}`));

  for (const [citation] of prose.matchAll(SPECIFICATION)) require(leadsSomewhere(repository, `docs/${citation}`), citation);
  for (const [citation] of (markdown ? prose : commentsOf(content)).matchAll(FILE)) require(leadsSomewhere(repository, citation), citation);
  for (const [citation, number] of prose.matchAll(DECISION)) require(hasDecision(repository, number!), citation);
  if (markdown) {
    for (const [, target = ''] of prose.matchAll(LINK)) require(isElsewhere(target) || leadsSomewhere(repository, resolveFrom(path, target)), target);
    for (const [, target = '', title = ''] of prose.matchAll(NAMED_TEST)) {
      require(repository.get(resolveFrom(path, target))?.replaceAll("\\'", "'").includes(title) === true, `${target} has no test "${title}"`);
    }
  }
  for (const line of content.split('\n')) require(!ABSENT_TEXTS.some((absent) => absent.test(line)), line.trim());
  return broken;
};

const commentsOf = (source: string): string => [...source.matchAll(/^\s*(?:\/\*\*?|\*|\/\/|#).*$/gm)].map(([line]) => line).join('\n');

const isElsewhere = (target: string): boolean => /^[a-z]+:/.test(target);

const resolveFrom = (path: string, target: string): string =>
  target.startsWith('#') ? `${path}${target}` : normalize(join(dirname(path), decodeURI(target)));

const hasDecision = (repository: Repository, number: string): boolean =>
  [...repository.keys()].some((path) => path.startsWith('docs/adr/') && basename(path).startsWith(`${number}-`));

/** A file, or a folder, or a heading of a Markdown page. */
const leadsSomewhere = (repository: Repository, target: string): boolean => {
  const [path = '', anchor] = target.replace(/\/$/, '').split('#');
  const content = repository.get(path);
  if (content === undefined) return anchor === undefined && [...repository.keys()].some((file) => file.startsWith(`${path}/`));
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(content).has(anchor);
};

/** The tests that a document names as `file › group › title` and that no test file of the repository has, a line each. */
export const missingTests = (repository: Repository, path: string): readonly string[] => {
  const files = [...repository].filter(([file]) => /\.(spec|check)\.ts$/.test(file));
  const titles = new Map<string, string[]>();
  for (const [file, source] of files) titles.set(suiteName(file), [...(titles.get(suiteName(file)) ?? []), ...titlesIn(source)]);
  const names = (repository.get(path) ?? '').matchAll(/`([a-z0-9.-]+) › ([^`]+)`/g);
  return [...names].flatMap(([name, file = '', rest = '']) => {
    const known = titles.get(file);
    if (!known) return [`${name}: there is no such file`];
    const unknown = splitTitles(rest).find((title) => title !== '…' && !known.some((pattern) => matches(pattern, title)));
    return unknown === undefined ? [] : [`${name}: there is no "${unknown}"`];
  });
};

const splitTitles = (rest: string): readonly string[] => rest.split(' › ');

/** As the map reporter of the test runs names files (test/support/jest/map-reporter.ts). */
const suiteName = (path: string): string =>
  basename(path)
    .replace(/\.(conformance|distributed)\.spec\.ts$/, '')
    .replace(/(\.\w+)\.spec\.ts$/, '$1')
    .replace(/\.ts$/, '');

const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/'((?:[^'\\\n]|\\.){1,300})'|"((?:[^"\\\n]|\\.){1,300})"|`((?:[^`\\\n]|\\.){1,300})`/g)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'),
  );

/** A title of `it.each` has places that the run fills in. */
const matches = (pattern: string, title: string): boolean => {
  if (pattern === title) return true;
  const parts = pattern.split(/%[spdijfo#]|\$\{[^}]*\}|\$\w+/);
  if (parts.length === 1 || parts.length > 4 || parts.join('').trim().length < 4) return false;
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`).test(title);
};

/** How many steps each walk of a page has, by its heading. */
export const stepsOfWalks = (repository: Repository, path: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (repository.get(path) ?? '').split(/^### /m).flatMap((part) => {
      const steps = part.match(/^\| `[\w./-]+\.ts` \| `\w+` \|/gm)?.length;
      return steps === undefined ? [] : [[part.split('\n', 1)[0] ?? '', steps]];
    }),
  );

/** The wrong rows of a document among those that name a file and its content, as `| file | name |`. */
export const wrongWalks = (repository: Repository, path: string): { readonly steps: number; readonly wrong: readonly string[] } => {
  const rows = [...(repository.get(path) ?? '').matchAll(/^\| `([\w./-]+\.ts)` \| `(\w+)` \|/gm)];
  const wrong = rows.filter(([, file = '', name = '']) => !new RegExp(`\\b${name}\\b`).test(repository.get(file) ?? ''));
  return { steps: rows.length, wrong: wrong.map(([row]) => row) };
};
