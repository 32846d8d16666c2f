import { partOf } from './parts.ts';

const { name, mutate } = partOf(process.env.MUTATION_PART);

export default {
  mutate,
  testRunner: 'in-process',
  plugins: [`${import.meta.dirname}/runner/plugin.ts`],
  testRunnerNodeArgs: [`--import=${import.meta.dirname}/runner/module-hooks.ts`, '--conditions=source'],
  coverageAnalysis: 'perTest',
  // A value that is made once, when a file is loaded, is changed for all tests of a part: a quarter of the changes would take most of the time.
  ignoreStatic: true,
  // Types are stripped by swc; checking the mutants' types would take longer than running them.
  disableTypeChecks: false,
  concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
  dryRunTimeoutMinutes: 15,
  // A change that repeats a loop for ever counts as noticed after this time; until then it holds up a worker. A test that waits for ever ends sooner (runner).
  timeoutMS: 45_000,
  tempDirName: `.cache/stryker-${name}`,
  ignorePatterns: ['/dist', '/docs', '/deploy', '/lab/bench', '/test/vectors', '/test/browser/pictures', '/.cache', '/data'],
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  allowConsoleColors: false,
};
