/** The layers, as rules. A wanted exception is an ADR, not a hole in a rule. */
const TESTS = '([.](spec|check)[.]ts$|(^|/)test/|^testkit/)';

/** What the command line imports at its start. */
const PARTS_WITHOUT_STORE = '(kernel|engines/egress|signatures/(asic|pki)|service/config)';
/** The parts of the SDK that belong to one framework each: exports of the package. */
const SDK_OF_A_FRAMEWORK = '^libs/clients/relying-party/frameworks/src/(express|fastify|next)[.]ts$';

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
      from: { path: '^libs/((?:(?:engines|signatures|domain|clients|service)/)?[^/]+)/' },
      to: {
        path: '^libs/',
        pathNot: ['^libs/$1/', '/src/index[.]ts$'],
      },
    },
    {
      name: 'all-others-use-libs-by-the-index',
      comment: 'As between libs.',
      severity: 'error',
      from: { path: '^(apps|examples|test|testkit|lab|tools)/', pathNot: '^test/fuzz/' },
      to: {
        path: '^libs/',
        pathNot: ['/src/index[.]ts$', '^libs/web-page/browser/src/[^/]+[.]css$', SDK_OF_A_FRAMEWORK],
      },
    },
    {
      name: 'the-test-kit-is-for-tests',
      comment: 'The product needs nothing of testkit/, lab/ and tools/. Tests beside the code may use the kit.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TESTS },
      to: { path: '^(testkit|lab|tools|test|bench)/' },
    },
    {
      name: 'engines-know-no-domain',
      comment: 'An engine serves any event-sourced program: nothing of sessions, persons or clients is known there.',
      severity: 'error',
      from: { path: '^libs/(engines|kernel|telemetry)/', pathNot: TESTS },
      to: { path: '^libs/(domain|signatures|clients|service|web-page)/' },
    },
    {
      name: 'the-domain-knows-no-service',
      comment: 'The business does not know the process in which it runs: no settings, no HTTP.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: TESTS },
      to: { path: '^libs/(service|clients|web-page)/' },
    },
    {
      name: 'telemetry-is-on-the-ground',
      comment: 'Every other library may report to it, so it imports the kernel alone.',
      severity: 'error',
      from: { path: '^libs/telemetry/', pathNot: TESTS },
      to: { path: '^libs/', pathNot: '^libs/(telemetry|kernel)/' },
    },
    {
      name: 'what-others-install-knows-no-service',
      comment: 'Pages and the phone in software speak with the service over HTTP, as those of others do.',
      severity: 'error',
      from: { path: '^libs/(web-page|clients)/', pathNot: TESTS },
      to: { path: '^libs/(engines|domain|service|telemetry)/' },
    },
    {
      name: 'libs-never-import-apps',
      comment: 'An app is an adapter: it imports libs, and no lib imports it.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|examples|test|lab|tools)/' },
    },
    {
      name: 'apps-never-import-apps',
      comment:
        'Code that two apps share is a use case in a lib. Only standalone runs them all. The sandbox, which runs there alone, registers clients by the same body as the registry (ADR 0156).',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      to: { path: '^apps/', pathNot: ['^apps/$1/', '^apps/registry/src/(client-settings[.]dto|string-list)[.]ts$'] },
    },
    {
      name: 'signatures-know-no-service',
      comment: 'The verification of a container needs no persons, sessions or store.',
      severity: 'error',
      from: { path: '^libs/signatures/' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/(signatures|kernel)/' },
    },
    {
      name: 'the-command-line-loads-stores-on-demand',
      comment:
        '`countersign verify` starts fast and on a machine without the service; the other commands call /admin/v1. What touches a store is imported when a command needs it.',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/store/' },
      to: { path: '^apps/cli/src/store/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-command-line-loads-few-libs',
      comment: 'As before: the other libs are for its folder `store`.',
      severity: 'error',
      from: { path: '^apps/cli/src/', pathNot: '^apps/cli/src/store/' },
      to: { path: '^libs/', pathNot: `^libs/${PARTS_WITHOUT_STORE}/` },
    },
    {
      name: 'these-libs-reach-no-store',
      comment: 'As before, of the libs that the command line loads at its start.',
      severity: 'error',
      from: { path: `^libs/${PARTS_WITHOUT_STORE}/`, pathNot: TESTS },
      to: {
        path: '^libs/(engines/(event-store|sqlite|message-bus|job-queue)|domain/(identity|session|relying-party|webhook)|service/platform)/',
        reachable: true,
      },
    },
    {
      name: 'the-sdk-stands-alone',
      comment:
        'It is published by itself and runs at a relying party: Node, and nothing of ours but the few files that put a document into a container (ADR 0008).',
      severity: 'error',
      from: { path: '^libs/clients/relying-party/', pathNot: TESTS },
      to: { path: '^(libs|apps|examples)/', pathNot: ['^libs/clients/relying-party/', '^libs/signatures/asic/browser/src/index[.]ts$'] },
    },
    {
      name: 'the-device-client-stands-alone',
      comment: 'It is published separately and runs in an app: it imports neither Node nor our code except how pages call the service (ADR 0050).',
      severity: 'error',
      from: { path: '^libs/clients/device/', pathNot: TESTS },
      to: { path: '.', pathNot: ['^libs/clients/device/', '^libs/web-page/calls/src/index[.]ts$'] },
    },
    {
      name: 'the-helpers-of-the-sandbox-stand-alone',
      comment:
        'They run in the tests of a relying party, beside the program: Node, the SDK, and no test runner, so that the one that is installed there counts.',
      severity: 'error',
      from: { path: '^libs/clients/sandbox/', pathNot: TESTS },
      to: {
        path: '^(libs|apps|node_modules)/',
        pathNot: ['^libs/clients/sandbox/', '^libs/clients/relying-party/src/index[.]ts$', 'node_modules/@types/node/'],
      },
    },
    {
      name: 'the-calls-of-pages-stand-alone',
      comment: 'The package for app makers holds these files.',
      severity: 'error',
      from: { path: '^libs/web-page/calls/', pathNot: TESTS },
      to: { path: '.', pathNot: '^libs/web-page/calls/' },
    },
    {
      name: 'a-relying-party-knows-the-sdk-only',
      comment: 'The examples show the code that a relying party has to write. Their tests run the real service.',
      severity: 'error',
      from: { path: '^examples/[^/]+/(src|page)/' },
      to: { path: '^(libs|apps)/', pathNot: ['^libs/clients/relying-party/(browser/)?src/index[.]ts$', SDK_OF_A_FRAMEWORK] },
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
        'Decisions are functions of their arguments: no store, no framework, no file, no network. From Node they import computing modules only (from net isIP and BlockList); from another lib its types and the vocabulary of properties and of persons.',
      severity: 'error',
      from: { path: '^libs/domain/[^/]+/src/domain/', pathNot: TESTS },
      to: {
        pathNot: [
          '^libs/domain/[^/]+/src/domain/',
          '^libs/kernel/src/',
          '^libs/domain/(relying-party|identity)/src/index[.]ts$',
          '^(node:)?(crypto|buffer|url|util|net)$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'use-cases-know-ports-only',
      comment: 'A use case works with domain, kernel and ports; which technology stands behind a port is decided elsewhere.',
      severity: 'error',
      from: { path: '^libs/domain/[^/]+/src/(use-cases|repositories)/', pathNot: TESTS },
      to: { path: ['^libs/(service|telemetry)/', '/(sqlite|eventstoredb|kafka|bullmq)/', 'node_modules/@nestjs/'] },
    },
    {
      name: 'libs-do-not-know-the-platform',
      comment: 'The platform puts the libs together, so no lib depends on it: each names what it needs in an interface of its own.',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/service/platform/', TESTS] },
      to: { path: '^libs/service/platform/' },
    },
    {
      name: 'nest-is-a-thin-face',
      comment: 'The domain and the ports do not depend on the framework.',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['^libs/service/http/', '[.]module[.]ts$', '^libs/engines/message-bus/src/nest/', TESTS] },
      to: { path: 'node_modules/@nestjs/' },
    },
    {
      name: 'sqlite-in-its-folder',
      comment: 'Only the folders of a technology import its driver, or the lib that they share.',
      severity: 'error',
      from: { pathNot: ['/sqlite/', TESTS] },
      to: { path: ['^(node:)?sqlite$', '^libs/engines/sqlite/'] },
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
      from: { pathNot: ['^libs/engines/read-model/', '/read-models/', TESTS] },
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
      from: {
        path: '^(apps|libs)/',
        pathNot: [TESTS, '^apps/standalone/src/(open-api/|write-openapi[.]ts$)', '^apps/[^/]+/(guide|page|phone|reference)/'],
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: 'node_modules/@(types|jest)/' },
    },
    {
      name: 'everything-resolves',
      comment:
        'An import that cannot be resolved fails at start, not at build. The examples of test runners run in folders of their own, and start.cjs among the built files.',
      severity: 'error',
      from: { pathNot: '^(examples/sandbox-in-ci/|libs/clients/sandbox/start[.]cjs$)' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|libs/clients/[^/]+/dist|node_modules/[.])' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.d.ts', '.json'],
    },
  },
};
