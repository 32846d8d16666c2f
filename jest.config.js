import { existsSync } from 'node:fs';

import { CHROMIUM } from './testkit/programs/browsers/chromium.ts';

// At a desk without Chromium the browser tests are left out; CI fails when it has none.
const hasBrowser = Boolean(process.env.CI) || existsSync(CHROMIUM);
if (!hasBrowser) console.warn(`No browser at ${CHROMIUM}: its tests are left out (apt-get install chromium zbar-tools, or set CHROMIUM).`);

const JEST = '<rootDir>/test/support/jest';

/** Milliseconds for each test and hook of a project. */
const testTimeout = (milliseconds) => ({ globals: { testTimeout: milliseconds }, setupFilesAfterEnv: [`${JEST}/test-timeout.ts`] });

/** The settings of all projects: TypeScript from its sources, as ES modules. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
};

/** Processes under test keep their files in a directory of the run, which is removed at its end; processes that still run are ended. */
const inRunDirectory = { globalSetup: `${JEST}/make-run-directory.ts`, globalTeardown: `${JEST}/remove-run-directory.ts` };

const conformance = {
  ...common,
  displayName: 'conformance',
  roots: ['<rootDir>/test/conformance'],
  testMatch: ['**/*.conformance.spec.ts'],
  ...inRunDirectory,
  ...testTimeout(90_000),
};

const recipes = {
  ...common,
  displayName: 'recipes',
  roots: ['<rootDir>/test/recipes'],
  testMatch: ['**/*.recipe.spec.ts'],
  ...inRunDirectory,
  globalSetup: `${JEST}/build-recipes.ts`,
  ...testTimeout(300_000),
};

/** Every suite is a project; the npm scripts of package.json select them. CONTRIBUTING.md lists the needs of each. */
export default {
  projects: [
    // Unit, contract and end-to-end tests: everything that needs only Node. The time limit allows for a busy machine.
    {
      ...common,
      displayName: 'unit',
      roots: [
        '<rootDir>/apps',
        '<rootDir>/libs',
        '<rootDir>/examples',
        '<rootDir>/tools',
        '<rootDir>/testkit',
        '<rootDir>/lab',
        '<rootDir>/test/fuzz',
      ],
      testMatch: ['**/*.spec.ts', '!**/*.integration.spec.ts'],
      globalSetup: `${JEST}/build-pages.ts`,
      ...testTimeout(90_000),
    },
    // Adapters against the engines themselves, which the setup starts where the environment names none.
    {
      ...common,
      displayName: 'integration',
      roots: ['<rootDir>/apps', '<rootDir>/libs'],
      testMatch: ['**/*.integration.spec.ts'],
      globalSetup: `${JEST}/start-engines.ts`,
      globalTeardown: `${JEST}/stop-engines.ts`,
      ...testTimeout(120_000),
    },
    // Signed containers, checked by programs that share no code with ours: EU DSS and Bouncy Castle, OpenSSL, pyHanko, Python, unzip. Certificates of step-ca and by CMP.
    {
      ...common,
      displayName: 'asic',
      roots: ['<rootDir>/libs/signatures/asic', '<rootDir>/libs/signatures/pki'],
      testMatch: ['**/*.check.ts'],
      globalSetup: `${JEST}/install-validators.ts`,
      ...testTimeout(600_000),
      globals: { testTimeout: 600_000, runsInCi: Boolean(process.env.CI) },
    },
    // Black-box tests over HTTP, of a process that the suite starts or of the service at BASE_URL.
    conformance,
    // The same on the distributed profile, one topology for all files (testkit/topologies), and the browser tests of a login. Left out is what cannot
    // differ there: what the text of a request alone decides, what time decides from stored events, and how pages look (CONTRIBUTING.md).
    {
      ...conformance,
      displayName: 'distributed',
      roots: ['<rootDir>/test/conformance', ...(hasBrowser ? ['<rootDir>/test/browser'] : [])],
      testMatch: [
        ...conformance.testMatch,
        '!**/{create-signing-request,get-result-limits,limits,post-session*,properties,qr-payload,restart,sdk-package,sdk-types}.conformance.spec.ts',
        '**/*.distributed.spec.ts',
        '**/test/browser/{login,cross-origin}.browser.spec.ts',
      ],
      testEnvironment: `${JEST}/topology-environment.ts`,
      globalSetup: `${JEST}/start-topology.ts`,
      globalTeardown: `${JEST}/stop-topology.ts`,
      ...testTimeout(120_000),
    },
    // The Helm chart, rendered by helm, which the set-up builds once.
    {
      ...common,
      displayName: 'deploy',
      roots: ['<rootDir>/test/deploy'],
      testMatch: ['**/*.deploy.spec.ts'],
      globalSetup: `${JEST}/build-helm.ts`,
      ...testTimeout(120_000),
    },
    // The chart on a Kubernetes control plane. The set-up builds it once, which takes many minutes, and starts it. One file at a time, in one cluster.
    {
      ...common,
      displayName: 'kubernetes',
      roots: ['<rootDir>/test/kubernetes'],
      testMatch: ['**/*.kubernetes.spec.ts'],
      globalSetup: `${JEST}/start-kubernetes.ts`,
      globalTeardown: `${JEST}/stop-kubernetes.ts`,
      ...testTimeout(600_000),
    },
    // Stock libraries and servers of OpenID Connect, unchanged, with the settings that the portal shows. The set-up builds them once, which takes minutes.
    recipes,
    // Apps of frameworks that the tests do not have among their packages, with the middleware of the SDK from its tarball, as its README shows them. They are installed once, from the registry.
    {
      ...common,
      displayName: 'frameworks',
      roots: ['<rootDir>/test/frameworks'],
      testMatch: ['**/*.framework.spec.ts'],
      ...inRunDirectory,
      ...testTimeout(300_000),
    },
    // The recipes against separate services, two replicas each, behind the gateway.
    {
      ...recipes,
      displayName: 'recipes-distributed',
      testEnvironment: `${JEST}/topology-environment.ts`,
      globalSetup: `${JEST}/start-topology-for-recipes.ts`,
      globalTeardown: `${JEST}/stop-topology.ts`,
    },
    // The test runners of relying parties, unchanged, with the helpers of the package of the sandbox. The set-up installs them once; `npm run pack` makes the package.
    {
      ...common,
      displayName: 'runners',
      roots: ['<rootDir>/test/runners'],
      testMatch: ['**/*.runner.spec.ts'],
      ...inRunDirectory,
      globalSetup: `${JEST}/install-test-runners.ts`,
      ...testTimeout(300_000),
    },
    // Clients that are generated from the documents of the API, compiled, and run against the sandbox.
    {
      ...common,
      displayName: 'clients',
      roots: ['<rootDir>/test/clients'],
      testMatch: ['**/*.client.spec.ts'],
      ...inRunDirectory,
      ...testTimeout(600_000),
    },
    // The pages in a real browser, served by a process that the suite starts, or by the service at BASE_URL.
    {
      ...common,
      displayName: 'browser',
      roots: ['<rootDir>/test/browser'],
      testMatch: hasBrowser ? ['**/*.browser.spec.ts'] : [],
      ...(hasBrowser && { globalSetup: `${JEST}/start-browser.ts`, globalTeardown: `${JEST}/stop-browser.ts` }),
      ...testTimeout(120_000),
    },
    // The pictures of the documentation, taken in the same browser.
    {
      ...common,
      displayName: 'pictures',
      roots: ['<rootDir>/test/browser'],
      testMatch: ['**/docs-images.ts'],
      ...inRunDirectory,
      ...testTimeout(120_000),
    },
    // Faults on real processes: each drill starts, kills and restarts its own.
    {
      ...common,
      displayName: 'drills',
      roots: ['<rootDir>/test/drills'],
      testMatch: ['**/*.drill.spec.ts'],
      ...inRunDirectory,
      setupFiles: ['reflect-metadata', `${JEST}/run-directory-per-file.ts`],
      // It ends what hangs; how long a drill takes depends on the machine.
      ...testTimeout(900_000),
    },
  ],
  // Always a worker process, even for one file: jest ends it after the last file, with everything that a failed set-up has left open there.
  // The unit tests have less (package.json): a worker keeps some 50 MB of each of their files, and with gigabytes its collections take seconds, in which the calls of a test run out of time.
  workerIdleMemoryLimit: process.env.WORKER_MEMORY ?? '4GB',
  // A worker with nothing open needs more than jest's half second to end on a busy machine: Node frees its memory first. Milliseconds.
  workerGracefulExitTimeout: 10_000,
  testSequencer: `${JEST}/file-order.ts`,
  reporters: ['default', `${JEST}/map-reporter.ts`],
  passWithNoTests: !hasBrowser,
};
