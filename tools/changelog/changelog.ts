/**
 * `npm run changelog` adds the commits since the newest release to the section "Unreleased" of CHANGELOG.md; `npm run changelog -- 0.2.0`
 * names the section and so makes the release. It reads the subjects of commits of the kinds feat, fix and perf
 * (https://www.conventionalcommits.org/en/v1.0.0/) and leaves out those that a later commit reverts. Lines of the section are kept,
 * so that a squash of commits loses none. Each release's section ends with the commit up to which it goes, and is not touched again.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILE = `${ROOT}CHANGELOG.md`;
const HEADINGS = { feat: 'Added', fix: 'Fixed', perf: 'Faster' } as const;
const UP_TO = /<!-- up to commit ([0-9a-f]{7,40}) -->/;

type Kind = keyof typeof HEADINGS;

interface Change {
  readonly kind: Kind;
  readonly scope: string;
  readonly text: string;
  readonly breaking: boolean;
}

const git = (...parameters: string[]): string => execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Undefined for a subject that tells of nothing a user sees. */
const changeOf = (subject: string): Change | undefined => {
  const [, kind, scope = '', mark, text = ''] = /^(feat|fix|perf)(?:\(([^)]+)\))?(!)?: (.+)$/.exec(subject) ?? [];
  return kind === undefined ? undefined : { kind: kind as Kind, scope, text, breaking: mark !== undefined };
};

const line = ({ scope, text, breaking }: Change): string => `- ${breaking ? '**Breaking.** ' : ''}${scope === '' ? '' : `**${scope}**: `}${text}`;

/** The lines under this heading, of a section that is not released. */
const linesUnder = (heading: string, section: string): readonly string[] =>
  new RegExp(`### ${heading}\\n\\n((?:- .+\\n)*)`).exec(section)?.[1]?.split('\n').filter(Boolean) ?? [];

const chapter = (kind: Kind, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `### ${HEADINGS[kind]}\n\n${[...new Set(lines)].sort().join('\n')}\n\n`;

const [version] = process.argv.slice(2);
const file = readFileSync(FILE, 'utf8');
const newestRelease = file.search(/^## \d/m);
const [unreleased, released] = [file.slice(0, newestRelease), file.slice(newestRelease)];
const since = UP_TO.exec(released)?.[1];
if (since === undefined) throw new Error('CHANGELOG.md names no commit that the newest release reaches up to');

const subjects = git('log', '--no-merges', '--format=%s', `${since}..HEAD`).split('\n');
const isReverted = (subject: string): boolean => subjects.includes(`Revert "${subject}"`);
const lines = (kind: Kind, of: (subject: string) => boolean): readonly string[] =>
  subjects
    .filter(of)
    .map(changeOf)
    .filter((change) => change?.kind === kind)
    .map((change) => line(change as Change));
const [head, date] = git('log', '-1', '--format=%h %cs').split(' ');
const heading = version === undefined ? '## Unreleased' : `## ${version} (${date})`;
const end = version === undefined ? '' : `<!-- up to commit ${head} -->\n\n`;
const chapters = (Object.keys(HEADINGS) as Kind[]).map((kind) => {
  const reverted = lines(kind, isReverted);
  const kept = linesUnder(HEADINGS[kind], unreleased).filter((text) => !reverted.includes(text));
  return chapter(kind, [...kept, ...lines(kind, (subject) => !isReverted(subject))]);
});
writeFileSync(FILE, `# Changelog\n\n${heading}\n\n${chapters.join('')}${end}${released}`);
