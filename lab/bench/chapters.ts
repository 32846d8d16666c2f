import { readFile, writeFile } from 'node:fs/promises';

const PAGE = 'docs/benchmarks.md';
/** The chapters that stay when `npm run bench` writes its own, in this order: of other commands, and of counts made by hand. */
const CHAPTERS = [
  'Before and after',
  'Beside Keycloak and oidc-provider',
  'One core and two',
  'Where the processor time goes',
  'The cost of MACs',
  'A login by OpenID Connect',
  'What the history costs',
  'What one login asks of the disk',
  'A login of separate services',
  'Answers in gzip',
  'The first hour',
  'Start over a backlog',
  'Start of the sandbox',
  'Growth',
] as const;

const headed = (chapter: string): string => `\n## ${chapter}\n`;

/** The page up to the first of these chapters, and each of them with its heading. */
const parts = async (): Promise<{ readonly before: string; readonly chapters: Readonly<Record<string, string>> }> => {
  const page = await readFile(PAGE, 'utf8').catch(() => '');
  const begins = CHAPTERS.map((chapter) => page.indexOf(headed(chapter))).map((at) => (at < 0 ? page.length : at));
  const after = (at: number): number => Math.min(page.length, ...begins.filter((begin) => begin > at));
  const chapters = Object.fromEntries(CHAPTERS.map((chapter, index) => [chapter, page.slice(begins[index]!, after(begins[index]!))]));
  return { before: page.slice(0, Math.min(...begins)), chapters };
};

const write = (before: string, chapters: Readonly<Record<string, string>>): Promise<void> =>
  writeFile(
    PAGE,
    `${[before, ...CHAPTERS.map((chapter) => chapters[chapter] ?? '')]
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n\n')}\n`,
  );

/** Replaces the page, and keeps the chapters that other commands write. */
export const writeThroughput = async (text: string): Promise<void> => write(text, (await parts()).chapters);

/** Replaces one of the chapters. */
export const writeChapter = async (chapter: (typeof CHAPTERS)[number], text: string): Promise<void> => {
  const { before, chapters } = await parts();
  await write(before, { ...chapters, [chapter]: `## ${chapter}\n\n${text.trim()}` });
};

const sectionHead = (section: string): string => `### ${section}\n`;

/** Replaces the introduction of a chapter and one of its sections. A section that the chapter does not have yet comes last. The other sections stay. */
export const writeSection = async (chapter: (typeof CHAPTERS)[number], introduction: string, section: string, text: string): Promise<void> => {
  const before = (await parts()).chapters[chapter] ?? '';
  const sections = before.split(/^(?=### )/mu).slice(1);
  const at = sections.findIndex((part) => part.startsWith(sectionHead(section)));
  sections[at < 0 ? sections.length : at] = `${sectionHead(section)}\n${text}`;
  await writeChapter(chapter, [introduction, ...sections].map((part) => part.trim()).join('\n\n'));
};
