/**
 * Bundles the front ends into `dist/pages/<name>`: hashed asset names, relative addresses, nothing inline. A page whose HTML its
 * server writes (`served`) gets `assets.json` instead of `index.html`. Builds the pages in the folders that are given as arguments, or all.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Metafile } from 'esbuild';

import { OLDEST_BROWSERS } from './browsers.ts';
import { documentWithFirstFrame } from './first-frame.ts';
import { type Page, PAGES } from './pages.ts';
import { tooOldNotice } from './too-old.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The sentence of a page whose script does not run. The style shows it after a while, unless the script has removed it. */
const NOT_STARTED = fileURLToPath(new URL('./not-started.html', import.meta.url));
interface BuiltPage {
  readonly name: string;
  readonly out: string;
}

const common: BuildOptions = {
  bundle: true,
  minify: true,
  charset: 'utf8', // Each answer names it, and escapes cost bytes.
  format: 'esm',
  target: ['es2022', ...Object.entries(OLDEST_BROWSERS).map(([browser, version]) => `${browser}${version}`)],
  conditions: ['source'],
  absWorkingDir: ROOT,
  legalComments: 'none',
  logLevel: 'warning',
};

const buildPage = async ({ name, source, worker, served, library, welcome, documents, firstFrame }: Page): Promise<BuiltPage> => {
  const out = join(ROOT, 'dist/pages', name);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    ...common,
    entryPoints: {
      ...(firstFrame ? { main: `${source}/src/main.ts` } : { start: `${source}/src/start.ts` }),
      page: `${source}/page.css`,
      ...(welcome !== undefined && { welcome: `${source}/${welcome}` }),
    },
    outdir: join(out, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    metafile: true,
    loader: { '.svg': 'file' },
  });
  if (firstFrame === undefined) assertStartsAlone(name, metafile);
  const outputs = Object.keys(metafile.outputs).map((path) => relative(out, join(ROOT, path)));
  const entry = (prefix: string, suffix: string): string => {
    const found = outputs.find((path) => basename(path).startsWith(`${prefix}-`) && path.endsWith(suffix));
    if (found === undefined) throw new Error(`${name}: no ${prefix}*${suffix} was built`);
    return `./${found}`;
  };
  await cp(join(ROOT, source, 'public'), out, { recursive: true });
  if (served) {
    const assets = { script: entry('start', '.js').slice(2), style: entry('page', '.css').slice(2) };
    await writeFile(join(out, 'assets.json'), JSON.stringify(assets));
    if (documents) print(`${name}: ${await documents({ root: ROOT, out, ...assets })} documents`);
    return { name, out };
  }
  if (welcome !== undefined) await writeFile(join(out, 'assets.json'), JSON.stringify({ style: entry('welcome', '.css').slice(2) }));
  const document = await readFile(join(ROOT, source, 'index.html'), 'utf8');
  const [notStarted, tooOld] = await Promise.all([readFile(NOT_STARTED, 'utf8'), tooOldNotice()]);
  const withNotice = document.replace('%NOT_STARTED%', () => notStarted).replace('%TOO_OLD%', () => tooOld);
  const html = firstFrame
    ? await documentWithFirstFrame(firstFrame, { root: ROOT, source, html: withNotice, out, metafile, common })
    : withNotice
        .replaceAll('%SCRIPT%', entry('start', '.js'))
        .replaceAll('%STYLE%', entry('page', '.css'))
        .replaceAll('%LIBRARY%', library ? await writeLibrary(out, await library()) : '');
  if (firstFrame) await rm(join(out, entry('page', '.css')));
  await writeFile(join(out, 'index.html'), html);
  if (worker !== undefined) await buildWorker(out, join(source, worker), html);
  return { name, out };
};

/** Writes the script as it is and compressed, and answers its address in the page. */
const writeLibrary = async (out: string, script: string): Promise<string> => {
  const name = `assets/library-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
  await Promise.all([writeFile(join(out, name), script), writeFile(join(out, `${name}.gz`), gzipSync(script))]);
  return `./${name}`;
};

/** The first script cleans the address bar, so it must run before any other file is fetched, chunks of its own included. */
const assertStartsAlone = (name: string, { outputs }: Metafile): void => {
  const [start] = Object.entries(outputs).filter(([path]) => basename(path).startsWith('start-'));
  const needed = start?.[1].imports.filter(({ kind }) => kind === 'import-statement') ?? [];
  if (needed.length > 0) throw new Error(`${name}: start.ts fetches ${needed.map(({ path }) => path).join()} before it runs`);
};

/** The worker contains the list of its shell's files and their digest: a changed file changes the worker and the cache's name. */
const buildWorker = async (out: string, source: string, html: string): Promise<void> => {
  const files = (await list(out)).filter((path) => path !== 'index.html').sort();
  const version = createHash('sha256').update(html);
  for (const path of files) version.update(path).update(await readFile(join(out, path)));
  await build({
    ...common,
    format: 'iife',
    entryPoints: [source],
    outfile: join(out, 'service-worker.js'),
    define: {
      SHELL_FILES: JSON.stringify(['./', ...files.map((path) => `./${path}`)]),
      SHELL_VERSION: JSON.stringify(version.digest('hex').slice(0, 16)),
    },
  });
};

const list = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** Bytes. */
const LARGE = 200_000;

/** Writes the compressed forms of each text beside it. The server sends them to clients that accept them. */
const compress = async ({ out }: BuiltPage): Promise<void> => {
  const texts = (await list(out)).filter((path) => /\.(js|css|svg|webmanifest)$/.test(path));
  await Promise.all(
    texts.map(async (path) => {
      const bytes = await readFile(join(out, path));
      // The densest form of a library of megabytes would take longer than all the rest of the build.
      const quality = bytes.length > LARGE ? 5 : 11;
      await writeFile(join(out, `${path}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
      await writeFile(join(out, `${path}.gz`), gzipSync(bytes));
    }),
  );
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Of the documentation, whose files are many: only their number is printed. */
const DOCUMENT = /^(?!index\.html).*\.(html|atom|yaml)(\.br|\.gz)?$|^(images|files|search)\b|^index\.html\.(br|gz)$/;

const report = async ({ name, out }: BuiltPage): Promise<void> => {
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`;
  const sizes = await Promise.all(
    (await list(out))
      .filter((path) => !DOCUMENT.test(path))
      .map(async (path) => {
        const bytes = await readFile(join(out, path));
        return { path, zipped: /\.(png|gz)$/.test(path) ? bytes.length : existsSync(join(out, `${path}.gz`)) ? 0 : gzipSync(bytes).length };
      }),
  );
  print(`${name}: ${kilobytes(sizes.reduce((sum, { zipped }) => sum + zipped, 0))} gzip in all`);
  for (const { path, zipped } of sizes) print(`  ${path} ${kilobytes(zipped)}`);
};

const folders = process.argv.slice(2);
const wanted = PAGES.filter(({ source }) => folders.length === 0 || folders.includes(source));

for (const page of await Promise.all(wanted.map(buildPage))) {
  await report(page);
  await compress(page);
}
