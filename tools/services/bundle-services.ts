/**
 * Bundles each compiled service with its packages into `dist/services/<name>.js`. A service of three thousand small files spends most of its
 * start on finding them (docs/adr/0028-services-as-bundles.md). Run it after the compiler. An argument names another folder that holds a `dist`.
 */
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { build, type Plugin } from 'esbuild';

import { nameClassesOnly } from './name-classes-only.ts';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
/** The command line starts once for each command, of files that it needs for that command only. */
const UNBUNDLED = ['cli'];

/** Packages that stay in node_modules. */
const EXTERNAL = [
  // Other modules expect its polyfill before they begin.
  'reflect-metadata',
  // We replace a method of one of its inner modules, which we find by its path.
  'kafkajs',
  // It finds the files of its worker threads by their paths.
  'pino',
  // It is native code, built for the machine, and loaded only where a token wraps the key files.
  'pkcs11js',
];

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
const COMMONJS = [
  "import 'reflect-metadata';",
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

const names = globSync('dist/apps/*/src/main.js', { cwd: ROOT })
  .map((main) => main.split('/')[2]!)
  .filter((name) => !UNBUNDLED.includes(name));
const outdir = join(ROOT, 'dist/services');
await rm(outdir, { recursive: true, force: true });
const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(names.map((name) => [name, `dist/apps/${name}/src/main.js`])),
  outdir,
  bundle: true,
  // Code that services share is stored once on disk and in the cache of compiled code.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Nest, log lines and errors name classes.
  keepNames: true,
  // For stack traces in our own files and lines: `node --enable-source-maps`.
  sourcemap: 'linked',
  sourcesContent: false,
  external: EXTERNAL.flatMap((name) => [name, `${name}/*`]),
  write: false,
  plugins: [leaveOutMissingPackages, leaveOutMapsOfPackages, nameClassesOnly],
  banner: { js: COMMONJS },
  logLevel: 'warning',
});
await mkdir(outdir, { recursive: true });
await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
