import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const MODULES = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
  {
    selector: "ImportExpression[source.type!='Literal']",
    message: 'Import by a literal path, so that types, the linter and dependency-cruiser see it.',
  },
];

const SYNTAX = [
  ...MODULES,
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: 'Time comes from the Clock.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Time comes from the Clock.' },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: 'Chance comes from Randomness.' },
  {
    selector: "ObjectExpression > Property[kind='get']",
    message: 'Write a class: each object of such a literal gets a shape of its own, which V8 keeps among the old objects (ADR 0164).',
  },
];

/** The domain works with ports: which engine stands behind one, and where it is, the process decides (ADR 0109). */
const PORTS = [
  {
    selector:
      'ImportDeclaration[source.value=/^#engines/] > ImportSpecifier[imported.name=/^(open)?(Sqlite|EventStoreDb|Kafka|Bullmq|Redis|Postgresql|Memory|Embedded)/i]',
    message: 'Take the port, not an engine: the process chooses the engine.',
  },
  { selector: 'Identifier[name=/^(esdb|kafka|redis|postgres)[A-Z]/]', message: 'The settings of engines belong to the process.' },
];

/** Queries stand beside the projection that fills their tables (ADR 0018). */
const QUERIES = [
  {
    selector: 'CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]',
    message: 'SQL stands in a folder read-models.',
  },
];

/** A stream is named, shortened and closed by its declaration (ADR 0124). */
const STREAMS = [
  { selector: "ImportSpecifier[imported.name='streamName']", message: 'Name the stream by its declaration: DeclaredStreams.of.' },
  {
    // A declaration takes the store as its first argument, and is a constant.
    selector: 'CallExpression[callee.property.name=/^(setRetention|truncateBefore|tombstone)$/]:not([callee.object.name=/^[A-Z_]+$/])',
    message: 'Streams lose events only as their declaration says: DeclaredStreams.',
  },
];

/** Functions that are missing in browsers of the build's target (tools/pages/build-pages.ts). The compiler knows those of ECMAScript, not those of the DOM. */
const MISSING_IN_BROWSERS = [
  ...['any', 'timeout'].map((property) => ({ object: 'AbortSignal', property, message: 'Safari 16 lacks it: use withTimeLimit.' })),
  ...['canParse', 'parse'].map((property) => ({ object: 'URL', property, message: 'Safari 16 and Chrome 111 lack it: use readUrl.' })),
];

/**
 * One program for services, pages and tests: a program for each folder would read most of the same files again. Only a service worker has other global
 * names than a page. `npm run typecheck` compiles each folder with its own names.
 */
const PROGRAMS = ['tools/lint/tsconfig.json', 'apps/device-api/phone/service-worker/tsconfig.json'];

/** Rules that the compiler has not got. Layers and dependencies are checked by dependency-cruiser. */
export default defineConfig(
  { ignores: ['**/dist/', 'node_modules/', 'data/', 'coverage/', '**/*.{js,mjs,cjs}'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: PROGRAMS, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Settings come through libs/service/config; each app reads the environment in its settings.ts.',
        },
      ],
      'no-restricted-syntax': ['error', ...SYNTAX, ...STREAMS, ...QUERIES],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // An async method may have nothing to wait for: the port it implements promises a promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // The first takes a promise's resolve for a method; the second calls assertions needless that tell a reader something new.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
    },
  },
  {
    files: ['**/settings.ts', 'libs/service/config/src/**/*.ts', 'test/**/*.ts', 'tools/**/*.ts', 'testkit/**/*.ts', 'lab/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // A folder of a technology holds an adapter of one of the domain's own ports.
    files: ['libs/domain/*/src/**/*.ts'],
    ignores: ['**/{kafka,redis}/**'],
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX, ...STREAMS, ...QUERIES, ...PORTS] },
  },
  {
    files: ['libs/domain/*/src/use-cases/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...SYNTAX,
        ...STREAMS,
        ...QUERIES,
        ...PORTS,
        {
          selector: "ExportNamedDeclaration > ClassDeclaration[superClass=null]:not(:has(MethodDefinition[key.name='execute']))",
          message: 'A use case has `execute`; what loads and appends lies in repositories, what decides in domain.',
        },
      ],
    },
  },
  {
    files: ['libs/engines/read-model/src/**/*.ts', 'libs/**/read-models/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX, ...STREAMS, ...PORTS] },
  },
  {
    // The store and its decorators pass such calls on.
    files: ['libs/engines/event-store/src/**/*.ts', 'libs/service/platform/src/key-checked-event-store.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX] },
  },
  {
    // The clock itself, and code that runs at a relying party or in a browser, where there is no other clock.
    files: [
      'libs/kernel/src/clock.ts',
      'libs/clients/relying-party/**/*.ts',
      'libs/clients/sandbox/**/*.ts',
      'libs/clients/device/**/*.ts',
      'apps/login-bff/page/**/*.ts',
      'apps/console/page/**/*.ts',
      'apps/device-api/phone/**/*.ts',
      'libs/web-page/{browser,first-frame}/src/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...MODULES] },
  },
  {
    // The document names the page's program, which the build has named after its content.
    files: ['libs/web-page/first-frame/src/open-program.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts', '**/*.check.ts', '**/test/**', 'tools/**/*.ts', 'testkit/**/*.ts', 'lab/**/*.ts', 'examples/**/*.ts'],
    rules: {
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      // Tests check answers over HTTP by assertions, not by types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
    },
  },
  {
    // Code that runs in browsers.
    files: [
      'apps/login-bff/page/**/*.ts',
      'apps/console/page/**/*.ts',
      'apps/device-api/phone/**/*.ts',
      'apps/standalone/reference/**/*.ts',
      'examples/*/page/**/*.ts',
      'libs/web-page/{browser,first-frame}/src/**/*.ts',
      'libs/clients/device/src/**/*.ts',
      'libs/clients/relying-party/src/{app-link,browser}.ts',
    ],
    ignores: ['**/*.spec.ts', '**/testing/**'],
    rules: { 'no-restricted-properties': ['error', ...MISSING_IN_BROWSERS] },
  },
  {
    // One idea a file. A file of tests may be longer.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['**/*.spec.ts', '**/*.contract.ts', '**/*.check.ts', 'testkit/**', '**/test/**'],
    rules: { 'max-lines': ['error', 250] },
  },
  {
    // jest takes the default export of the files that its configuration names.
    files: ['test/support/jest/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
