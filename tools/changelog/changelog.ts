/**
 * `npm run changelog` writes the section "Unreleased" of CHANGELOG.md anew, from the commits since the newest release; `npm run changelog
 * -- 0.2.0` names it and so makes the release. Each release's section ends with the commit up to which it tells, and is not touched again.
 * It reads the subjects of commits of the kinds feat, fix and perf (https://www.conventionalcommits.org/en/v1.0.0/) and leaves out those
 * that a later commit reverts.
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

const chapter = (changes: readonly Change[], kind: Kind): string => {
  const lines = changes.filter((change) => change.kind === kind).map(line);
  return lines.length === 0 ? '' : `### ${HEADINGS[kind]}\n\n${[...new Set(lines)].sort().join('\n')}\n\n`;
};

const [version] = process.argv.slice(2);
const file = readFileSync(FILE, 'utf8');
const released = file.slice(file.search(/^## \d/m));
const since = UP_TO.exec(released)?.[1];
if (since === undefined) throw new Error('CHANGELOG.md names no commit that the newest release reaches up to');

const subjects = git('log', '--no-merges', '--format=%s', `${since}..HEAD`).split('\n');
const changes = subjects
  .filter((subject) => !subjects.includes(`Revert "${subject}"`))
  .map(changeOf)
  .filter((change) => change !== undefined);
const [head, date] = git('log', '-1', '--format=%h %cs').split(' ');
const heading = version === undefined ? '## Unreleased' : `## ${version} (${date})`;
const end = version === undefined ? '' : `<!-- up to commit ${head} -->\n\n`;
const chapters = Object.keys(HEADINGS).map((kind) => chapter(changes, kind as Kind));
writeFileSync(FILE, `# Changelog\n\n${heading}\n\n${chapters.join('')}${end}${released}`);
