import { SourceTree } from '../source-tree.ts';

const imports = (...names: readonly string[]): string => names.map((name, at) => `import { a${at} } from '${name}';\n`).join('');
const json = (value: object): string => JSON.stringify(value);

/** A repository of these files. */
export const treeOf = (files: Readonly<Record<string, string>>): SourceTree => new SourceTree(new Map(Object.entries(files)));

/** The flat layout: a library for each folder of `libs`, and an alias for each library. A double in `libs/store` needs `tools`, which needs `libs/login`. */
export const flat = (): SourceTree =>
  treeOf({
    'package.json': json({
      imports: {
        '#kernel': { source: './libs/kernel/src/index.ts', default: './dist/libs/kernel/src/index.js' },
        '#store': { source: './libs/store/src/index.ts', default: './dist/libs/store/src/index.js' },
        '#store/testing': { source: './libs/store/src/testing/index.ts', default: './dist/libs/store/src/testing/index.js' },
        '#login': { source: './libs/login/src/index.ts', default: './dist/libs/login/src/index.js' },
        '#web-page/browser': './libs/web-page/browser/index.ts',
      },
    }),
    'jest.config.js': '',
    'eslint.config.mts': '',
    'libs/kernel/src/index.ts': "export { clock, type Clock } from './clock.js';\n",
    'libs/kernel/src/clock.ts': 'export const clock = 1;\nexport type Clock = number;\n',
    'libs/store/src/index.ts': "export { Store, Unneeded as Spare } from './store.js';\n",
    'libs/store/src/store.ts': "import type { Clock } from '#kernel';\n",
    'libs/store/src/store.spec.ts': imports('./store.js', './testing/index.js'),
    'libs/store/src/testing/index.ts': imports('../../../../tools/processes/port.ts'),
    'libs/login/src/index.ts': "export { login } from './login.js';\n",
    'libs/login/src/login.ts': "import { clock } from '#kernel';\nimport { Store } from '#store';\n",
    'libs/login/src/login.spec.ts': imports('#store'),
    'libs/web-page/browser/index.ts': 'export const page = 1;\n',
    'libs/web-page/src/built-page.ts': '',
    'apps/door/src/main.ts': "import './app.js';\nexport const later = () => import(new URL('./on-demand.js', import.meta.url).href);\n",
    'apps/door/src/app.ts': "import { login } from '#login';\nimport { open } from './start.js';\n",
    'apps/door/src/start.ts': 'export const open = 1;\n',
    'apps/door/src/on-demand.ts': 'export const load = (name: string) => import(new URL(`./commands/${name}.js`, import.meta.url).href);\n',
    'apps/door/src/commands/back-up.ts': "import { yazl } from 'yazl';\n",
    'apps/door/src/commands/back-up.spec.ts': imports('./back-up.js'),
    'apps/door/src/write-documents.ts': imports('./app.js'),
    'apps/door/page/src/start.ts': imports('#web-page/browser'),
    'apps/door/page/service-worker/service-worker.ts': 'export {};\n',
    'examples/shop/src/main.ts': imports('#login'),
    'tools/processes/port.ts': imports('#login'),
    'tools/processes/port.spec.ts': imports('#login'),
    'test/conformance/login.conformance.spec.ts': imports('#login', '../../tools/processes/port.ts'),
  });

/** The layout with groups: two patterns name all libraries, doubles stand in `testkit`, and nothing leads upwards. */
export const grouped = (): SourceTree =>
  treeOf({
    'package.json': json({
      imports: {
        '#testkit/*': { source: './testkit/*/index.ts', default: './dist/testkit/*/index.js' },
        '#*': { source: './libs/*/src/index.ts', default: './dist/libs/*/src/index.js' },
      },
    }),
    'tsconfig.json': '{ "compilerOptions": { /* by name */ "paths": { "@countersign/sdk": ["./libs/clients/sdk/src/index.ts"] } } }',
    'libs/kernel/src/index.ts': "export { clock } from './clock.js';\n",
    'libs/kernel/src/clock.ts': 'export const clock = 1;\n',
    'libs/engines/event-store/src/index.ts': "export { Store } from './store.js';\n",
    'libs/engines/event-store/src/store.ts': imports('#kernel'),
    'libs/engines/event-store/src/store.spec.ts': imports('#testkit/event-store'),
    'libs/engines/job-queue/src/index.ts': imports('#engines/event-store'),
    'libs/domain/session/src/index.ts': "import { Store } from '#engines/event-store';\n",
    'libs/clients/sdk/src/index.ts': 'export const sdk = 1;\n',
    'apps/door/src/main.ts': imports('#domain/session', '@countersign/sdk'),
    'testkit/event-store/index.ts': imports('#engines/event-store'),
    'lab/bench/main.ts': imports('#testkit/event-store', '../../apps/door/src/main.js'),
  });
