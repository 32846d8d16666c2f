/** The layers, as rules. A wanted exception is an ADR, not a hole in a rule. */
const TESTS = '([.](spec|contract|check)[.]ts$|(^|/)(testing|test|contract)/)';

/** The files that the pages and the package for app makers share: they read an answer within its time, a scan link and the service's clock (ADR 0050). */
const SHARED_WITH_PAGES = ['^libs/web-page/browser/(reply|scan-uri|server-clock|time-limit)[.]ts$'];

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or one of them needs too much. Types count as well.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'libs-meet-at-the-index',
      comment: 'Libs meet at their index.ts; the rest of a lib is private.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: {
        path: '^libs/[^/]+/',
        pathNot: ['^libs/$1/', '^libs/[^/]+/src/(index|browser)[.]ts$', '^libs/[^/]+/src/testing/', ...SHARED_WITH_PAGES],
      },
    },
    {
      name: 'apps-use-libs-by-the-index',
      comment: 'As between libs.',
      severity: 'error',
      from: { path: '^(apps|examples|test|bench)/' },
      to: {
        path: '^libs/[^/]+/',
        pathNot: ['^libs/[^/]+/src/(index|browser)[.]ts$', '^libs/[^/]+/src/testing/', '^libs/[^/]+/src/[^/]+/testing/', '^libs/web-page/browser/'],
      },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Production code must not need a helper for tests.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TESTS },
      to: { path: '^libs/[^/]+/src/testing/' },
    },
    {
      name: 'libs-never-import-apps',
      comment: 'An app is an adapter: it imports libs, and no lib imports it.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|examples|test|bench)/' },
    },
    {
      name: 'apps-never-import-apps',
      comment: 'Code that two apps share is a use case in a lib. Only standalone runs them all.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'signatures-know-no-service',
      comment: 'The verification of a container needs no persons, sessions or store.',
      severity: 'error',
      from: { path: '^libs/(pki|asic)/' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/(pki|asic|kernel)/' },
    },
    {
      name: 'the-command-line-loads-no-store',
      comment:
        '`countersign verify` starts fast and on a machine without the service; the other commands call /admin/v1. `store scavenge` and `dead-letters` load their parts on demand.',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/store/' },
      to: { path: '^libs/(event-store|sqlite|identity|session|relying-party|webhook|message-bus|job-queue|platform)/', reachable: true },
    },
    {
      name: 'the-sdk-stands-alone',
      comment:
        'It is published by itself and runs at a relying party: Node, and nothing of ours but the few files that put a document into a container (ADR 0008).',
      severity: 'error',
      from: { path: '^libs/relying-party-client/', pathNot: TESTS },
      to: { path: '^(libs|apps|examples)/', pathNot: ['^libs/relying-party-client/', '^libs/asic/src/browser[.]ts$'] },
    },
    {
      name: 'the-device-client-stands-alone',
      comment: 'It is published separately and runs in an app: it imports neither Node nor our code except four files of the pages (ADR 0050).',
      severity: 'error',
      from: { path: '^libs/device-client/', pathNot: TESTS },
      to: { path: '.', pathNot: ['^libs/device-client/', ...SHARED_WITH_PAGES] },
    },
    {
      name: 'a-relying-party-knows-the-sdk-only',
      comment: 'The examples show the code that a relying party has to write. Their tests run the real service.',
      severity: 'error',
      from: { path: '^examples/[^/]+/(src|page)/' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/relying-party-client/src/(index|browser)[.]ts$' },
    },
    {
      name: 'the-kernel-stands-alone',
      comment: 'Everything else stands on it.',
      severity: 'error',
      from: { path: '^libs/kernel/' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/kernel/' },
    },
    {
      name: 'the-domain-is-pure',
      comment:
        'Decisions are functions of their arguments: no store, no framework, no file, no network. From Node they import computing modules only (from net isIP and BlockList); from another lib its types and the vocabulary of properties.',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/domain/', pathNot: TESTS },
      to: {
        pathNot: ['^libs/[^/]+/src/domain/', '^libs/kernel/src/', '^libs/relying-party/src/index[.]ts$', '^(node:)?(crypto|buffer|url|util|net)$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'use-cases-know-ports-only',
      comment: 'A use case works with domain, kernel and ports; which technology stands behind a port is decided elsewhere.',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/(use-cases|repositories)/', pathNot: TESTS },
      to: { path: ['^libs/(http|config|telemetry|platform)/', '/(sqlite|eventstoredb|kafka|bullmq)/', 'node_modules/@nestjs/'] },
    },
    {
      name: 'libs-do-not-know-the-platform',
      comment: 'The platform puts the libs together, so no lib depends on it: each names what it needs in an interface of its own.',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/platform/', TESTS] },
      to: { path: '^libs/platform/' },
    },
    {
      name: 'nest-is-a-thin-face',
      comment: 'The domain and the ports do not depend on the framework.',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/http/', '[.]module[.]ts$', '^libs/message-bus/src/nest/', TESTS] },
      to: { path: 'node_modules/@nestjs/' },
    },
    {
      name: 'sqlite-in-its-folder',
      comment: 'Only the folders of a technology import its driver, or the lib that they share.',
      severity: 'error',
      from: { pathNot: ['/sqlite/', TESTS] },
      to: { path: ['^(node:)?sqlite$', '^libs/sqlite/'] },
    },
    {
      name: 'drivers-in-their-folders',
      comment: 'As with SQLite.',
      severity: 'error',
      from: { pathNot: ['/(eventstoredb|kafka|bullmq|redis|postgresql)/', TESTS] },
      to: { path: 'node_modules/(@eventstore/db-client|kafkajs|bullmq|ioredis|pg)/' },
    },
    {
      name: 'queries-in-read-models',
      comment: 'Only the description of a read model holds SQL; all other code asks the read model (ADR 0018).',
      severity: 'error',
      from: { pathNot: ['^libs/read-model/', '/read-models/', TESTS] },
      to: { path: 'node_modules/kysely/' },
    },
    {
      name: 'pino-in-telemetry',
      comment: 'A log line of its own would bypass the allow-list of fields.',
      severity: 'error',
      from: { pathNot: '^libs/telemetry/' },
      to: { path: 'node_modules/pino/' },
    },
    {
      name: 'declared-dependencies-only',
      comment:
        'A package that another one happens to bring may be gone tomorrow. Pages are bundled, so their packages are needed for the build only.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '/build/', '^apps/[^/]+/(page|phone|reference)/'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: 'node_modules/@(types|jest)/' },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that cannot be resolved fails at start, not at build.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/[.])' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.d.ts', '.json'],
    },
  },
};
