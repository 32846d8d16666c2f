import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { build, type Plugin, transform } from 'esbuild';

import { nameClassesOnly } from './name-classes-only.ts';

export interface Bundle {
  /** The folder that paths begin at, and that holds the compiler's output. */
  readonly root: string;
  /** The compiled file of each program, by the name of its bundle. */
  readonly programs: Readonly<Record<string, string>>;
  /** The folder for the bundles. All that it holds is removed. */
  readonly outdir: string;
  /** The oldest Node that runs them, as esbuild writes it. */
  readonly target: string;
  /** Packages that stay in node_modules. */
  readonly external: readonly string[];
  /** The import that brings the polyfill `reflect-metadata`, which other modules expect before they begin. */
  readonly reflectMetadata: string;
  /** Whether maps for stack traces in our own files and lines lie beside the bundles. */
  readonly maps: boolean;
  /** Whether comments and white space are left out, and every character is ASCII. V8 keeps the text of a program in memory: two bytes for each character where one of them is no Latin letter. */
  readonly compact?: boolean;
  readonly plugins?: readonly Plugin[];
}

/** Nest looks for optional packages when it starts, such as other transports. The ones that are not installed stay imports. */
const leaveOutMissingPackages: Plugin = {
  name: 'leave out missing packages',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /^[^./#]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === leaveOutMissingPackages) return undefined;
      const { errors } = await find(path, { kind, resolveDir, importer, pluginData: leaveOutMissingPackages });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/** Maps nothing. */
const EMPTY_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [''], mappings: 'AAAA' })).toString('base64');

/**
 * Gives the files of packages an empty map, so that only our own lines are in the maps of the bundles. A process reads these maps whole with its first stack trace and
 * keeps them: with all packages in them they take 90 MB in each service.
 */
const leaveOutMapsOfPackages: Plugin = {
  name: 'leave out maps of packages',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
      loader: 'js',
    }));
  },
};

/** Packages of the older module format find `require` and their folder. */
const bannerOf = (reflectMetadata: string): string =>
  [
    `import '${reflectMetadata}';`,
    "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
  ].join(' ');

/** Characters after which a line of a compact bundle ends: Node prints the line of an uncaught error. */
const LINE = 200;

/** The same program with fewer characters. */
const compacted = async (text: string): Promise<string> => {
  const { code } = await transform(text, { minifyWhitespace: true, lineLimit: LINE, legalComments: 'none', charset: 'ascii' });
  // What is left stands in regular expressions, where an escape means the same.
  return code.replaceAll(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

/**
 * Bundles compiled programs with their packages. What programs have in common lies in shared chunks: docs/adr/0028-services-as-bundles.md. Answers the paths of all files that were read, from `root`.
 */
export const bundle = async ({ root, programs, outdir, target, external, reflectMetadata, maps, compact = false, plugins = [] }: Bundle): Promise<readonly string[]> => {
  await rm(outdir, { recursive: true, force: true });
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir,
    bundle: true,
    // Code that programs share is stored once on disk and in the cache of compiled code.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target,
    // Nest, log lines and errors name classes.
    keepNames: true,
    // For stack traces in our own files and lines: `node --enable-source-maps`.
    sourcemap: maps && 'linked',
    sourcesContent: false,
    external: external.flatMap((name) => [name, `${name}/*`]),
    write: false,
    metafile: true,
    plugins: [...plugins, leaveOutMissingPackages, leaveOutMapsOfPackages, nameClassesOnly],
    banner: { js: bannerOf(reflectMetadata) },
    logLevel: 'warning',
  });
  await mkdir(outdir, { recursive: true });
  await Promise.all(outputFiles.map(async ({ path, contents, text }) => writeFile(path, compact ? await compacted(text) : contents)));
  return Object.keys(metafile.inputs);
};
