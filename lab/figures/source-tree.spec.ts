import { describe, expect, it } from '@jest/globals';

import { productionOf } from './production.ts';
import { flat, grouped, treeOf } from './testing/small-trees.ts';

describe('the imports of a file', () => {
  it('are found by whole names, types and tests included', () => {
    expect(flat().imports('libs/store/src/store.ts')).toEqual(['libs/kernel/src/index.ts']);
    expect(flat().imports('libs/login/src/login.ts')).toEqual(['libs/kernel/src/index.ts', 'libs/store/src/index.ts']);
    expect(flat().imports('libs/store/src/testing/index.ts')).toEqual(['tools/processes/port.ts']);
    expect(flat().imports('apps/door/page/src/start.ts')).toEqual(['libs/web-page/browser/index.ts']);
  });

  it('are found by patterns, the longest first, and by the paths of the compiler', () => {
    expect(grouped().imports('libs/engines/event-store/src/store.spec.ts')).toEqual(['testkit/event-store/index.ts']);
    expect(grouped().imports('libs/engines/event-store/src/store.ts')).toEqual(['libs/kernel/src/index.ts']);
    expect(grouped().imports('apps/door/src/main.ts')).toEqual(['libs/domain/session/src/index.ts', 'libs/clients/sdk/src/index.ts']);
  });

  it('are not those of packages, of Node, of comments and of texts', () => {
    const tree = treeOf({
      'a.ts':
        "import { join } from 'node:path';\nimport yazl from 'yazl';\n// import './b.js';\nconst text = \"import './b.js'\";\nimport './missing.js';\n",
      'b.ts': '',
    });
    expect(tree.imports('a.ts')).toEqual([]);
  });

  it('are several lines long, dynamic, repeated, or passed on', () => {
    const tree = treeOf({
      'src/a.ts': "import {\n  one,\n  two,\n} from '../b.ts';\nexport * from '../b.js';\nconst c = await import('./c.mjs');\n",
      'b.ts': '',
      'src/c.mjs': '',
    });
    expect(tree.imports('src/a.ts')).toEqual(['b.ts', 'src/c.mjs']);
  });
});

describe('production', () => {
  it('is what the entries reach, on demand too, without tests and without tools', () => {
    expect(productionOf(flat())).toEqual([
      'apps/door/page/service-worker/service-worker.ts',
      'apps/door/page/src/start.ts',
      'apps/door/src/app.ts',
      'apps/door/src/commands/back-up.ts',
      'apps/door/src/main.ts',
      'apps/door/src/on-demand.ts',
      'apps/door/src/start.ts',
      'examples/shop/src/main.ts',
      'libs/kernel/src/clock.ts',
      'libs/kernel/src/index.ts',
      'libs/login/src/index.ts',
      'libs/login/src/login.ts',
      'libs/store/src/index.ts',
      'libs/store/src/store.ts',
      'libs/web-page/browser/index.ts',
    ]);
  });

  it('is found in the layout with groups', () => {
    expect(productionOf(grouped())).toEqual([
      'apps/door/src/main.ts',
      'libs/clients/sdk/src/index.ts',
      'libs/domain/session/src/index.ts',
      'libs/engines/event-store/src/index.ts',
      'libs/engines/event-store/src/store.ts',
      'libs/kernel/src/clock.ts',
      'libs/kernel/src/index.ts',
    ]);
  });
});
