import { SOURCES } from './addresses.ts';
import { escaped } from './highlight.ts';

interface Release {
  readonly version: string;
  /** `2026-11-21`. */
  readonly date: string;
  readonly changes: string;
}

/** The releases of a changelog, the newest first. What is not released yet has no date and is left out. */
const releasesOf = (changelog: string): readonly Release[] =>
  [...changelog.matchAll(/^## (\d[^ ]*) \((\d{4}-\d\d-\d\d)\)\n([^]*?)(?=^## |$(?![^]))/gm)].map(([, version = '', date = '', changes = '']) => ({
    version,
    date,
    changes: changes.replaceAll(/<!--[^]*?-->/g, '').trim(),
  }));

/**
 * The changelog as an Atom feed (RFC 4287), an entry for each release.
 *
 * @param render Markdown as HTML
 * @throws Error when the changelog has no release
 */
export const changelogFeed = (changelog: string, render: (markdown: string) => string): string => {
  const releases = releasesOf(changelog);
  const [newest] = releases;
  if (newest === undefined) throw new Error('CHANGELOG.md has no release');
  const page = `${SOURCES}/CHANGELOG.md`;
  const time = (date: string): string => `${date}T00:00:00Z`;
  const entries = releases.map(
    ({ version, date, changes }) => `  <entry>
    <id>${page}#${version}</id>
    <title>Countersign ${escaped(version)}</title>
    <updated>${time(date)}</updated>
    <link href="${page}"/>
    <content type="html">${escaped(render(changes))}</content>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${page}</id>
  <title>Countersign: changelog</title>
  <updated>${time(newest.date)}</updated>
  <author><name>Countersign</name></author>
  <link rel="alternate" href="${page}"/>
${entries.join('')}</feed>
`;
};
