/** The document of a page that shows itself before anything else is fetched: its style and its first script are inside. */
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type BuildOptions, type Metafile } from 'esbuild';

export interface FirstFrame {
  /** The keys of the catalogue that the first frame shows. */
  readonly texts: readonly string[];
}

interface Parts {
  readonly root: string;
  readonly source: string;
  readonly html: string;
  readonly out: string;
  readonly metafile: Metafile;
  readonly common: BuildOptions;
}

/** Fills `%STYLE%` and `%START%` of the page's document. The server allows both by their digests. */
export const documentWithFirstFrame = async ({ texts }: FirstFrame, parts: Parts): Promise<string> => {
  const { root, source, html, out, metafile, common } = parts;
  const files = Object.entries(metafile.outputs).map(([path, { entryPoint }]) => ({ path: `./${relative(out, join(root, path))}`, entryPoint }));
  const style = files.find(({ path }) => basename(path).startsWith('page-') && path.endsWith('.css'));
  const main = files.find(({ entryPoint }) => entryPoint === `${source}/src/main.ts`);
  if (style === undefined || main === undefined) throw new Error(`${source}: no style or no main.ts was built`);
  const css = (await readFile(join(out, style.path), 'utf8')).trim();
  if (css.includes('url(')) throw new Error(`${source}: an inline style must not name files`);

  const catalogue = join(root, source, 'src/messages');
  const languages = files.flatMap(({ path, entryPoint }) => {
    const language = new RegExp(`^${source}/src/messages/([a-z]{2})\\.ts$`).exec(entryPoint ?? '')?.[1];
    return language === undefined ? [] : [{ language, path }];
  });
  const words = async (language: string): Promise<Record<string, string>> => {
    const module = (await import(pathToFileURL(join(catalogue, `${language}.ts`)).href)) as Record<string, Record<string, string>>;
    return Object.fromEntries(texts.map((key) => [key, module[language]?.[key] ?? '']));
  };
  const first = await Promise.all(languages.map(async ({ language }) => [language, await words(language)] as const));
  const { outputFiles } = await build({
    ...common,
    format: 'iife',
    entryPoints: [join(root, source, 'src/start.ts')],
    write: false,
    external: ['./assets/*'],
    define: {
      MAIN_FILE: JSON.stringify(main.path),
      MESSAGE_FILES: JSON.stringify(Object.fromEntries(languages.map(({ language, path }) => [language, path]))),
      FIRST_TEXTS: JSON.stringify(Object.fromEntries(first)),
    },
  });
  const script = outputFiles?.[0]?.text.trim() ?? '';
  if (script.includes('</')) throw new Error(`${source}: the first script would end its own element`);
  // Indentation would be part of the first request.
  const lines = html.replaceAll(/\n\s+/g, '\n');
  return lines.replace('%STYLE%', () => css).replace('%START%', () => script);
};
