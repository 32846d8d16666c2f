import { describe, expect, it } from '@jest/globals';

import { draw } from './drawing.ts';
import { drawingsOf } from './layout.ts';
import type { SourceTree } from './source-tree.ts';
import { flat, grouped, treeOf } from './testing/small-trees.ts';

const drawing = (tree: SourceTree, name: string) => draw(tree, drawingsOf(tree.libraries)[name]!);
const text = ({ from, to, imports }: { from: string; to: string; imports: number }): string => `${from} > ${to}: ${imports}`;

describe('a drawing of the flat layout', () => {
  it('has the libraries and the folders beside them as rooms, and no example', () => {
    const { floors, arrows, upwards } = drawing(flat(), 'the folders of libs, beside the first level');
    expect(floors).toEqual([['libs/kernel', 'libs/web-page'], ['libs/store'], ['libs/login'], ['apps', 'tools'], ['test']]);
    expect(upwards.map(text)).toEqual(['libs/store > tools: 1']);
    expect(arrows.map(text)).toEqual([
      'libs/store > libs/kernel: 1',
      'libs/store > tools: 1',
      'libs/login > libs/kernel: 1',
      'libs/login > libs/store: 2',
      'apps > libs/login: 1',
      'apps > libs/web-page: 1',
      'tools > libs/login: 2',
      'test > libs/login: 1',
      'test > tools: 1',
    ]);
  });

  it('is the same by libraries', () => {
    expect(drawing(flat(), 'the libraries, beside the first level')).toEqual(drawing(flat(), 'the folders of libs, beside the first level'));
  });

  it('has a room for each folder of the first level', () => {
    const { floors, upwards } = drawing(flat(), 'the first level');
    expect(floors).toEqual([['libs'], ['apps', 'tools'], ['test']]);
    expect(upwards.map(text)).toEqual(['libs > tools: 1']);
  });
});

describe('a drawing of the layout with groups', () => {
  it('has a room for each folder of the first level', () => {
    const { floors, arrows, upwards } = drawing(grouped(), 'the first level');
    // the spec of the event store imports the test kit
    expect(floors).toEqual([['libs'], ['apps', 'testkit'], ['lab']]);
    expect([arrows.length, upwards]).toEqual([4, []]);
  });

  it('shows a library that needs the test kit', () => {
    const { upwards } = drawing(
      treeOf({
        'libs/engines/event-store/src/store.spec.ts': "import '../../../../testkit/event-store/index.js';\n",
        'libs/engines/event-store/src/store.ts': "import '../../../../testkit/event-store/index.js';\n",
        'testkit/event-store/index.ts': "import '../../libs/engines/event-store/src/store.js';\n",
        'testkit/event-store/suite.ts': "import '../../libs/engines/event-store/src/store.js';\n",
      }),
      'the first level',
    );
    expect(upwards.map(text)).toEqual(['libs > testkit: 1']);
  });

  it('has a room for each group inside of libs', () => {
    const { floors, arrows, upwards } = drawing(grouped(), 'the inside of libs');
    expect(floors).toEqual([['libs/clients', 'libs/kernel'], ['libs/engines'], ['libs/domain']]);
    expect([arrows.length, upwards]).toEqual([2, []]);
  });

  it('has a room for each library', () => {
    const { floors } = drawing(grouped(), 'the libraries, beside the first level');
    expect(floors.flat()).toContain('libs/engines/job-queue');
    expect(floors.flat()).not.toContain('libs/engines');
  });
});

describe('the arrows upwards', () => {
  /** Rooms `a`, `b`, … that import one another so many times. */
  const rooms = (arrows: Readonly<Record<string, number>>) => {
    const files: Record<string, string> = {};
    for (const [arrow, imports] of Object.entries(arrows)) {
      const [from = '', to = ''] = arrow;
      files[`${to}/index.ts`] ??= '';
      for (let file = 0; file < imports; file += 1) files[`${from}/${to}${file}.ts`] = `import '../${to}/index.js';\n`;
    }
    return drawing(treeOf(files), 'the first level');
  };

  it('are as few as possible, whatever they carry', () => {
    // a circle of three, and one more way into it: one arrow back is enough
    const { floors, upwards } = rooms({ ab: 1, bc: 1, ca: 9, da: 1 });
    expect(upwards).toHaveLength(1);
    expect(upwards.map(text)).not.toContain('c > a: 9');
    expect(floors).toHaveLength(4 - Number(upwards[0]!.from === 'a'));
  });

  it('are those of the fewest imports', () => {
    expect(rooms({ ab: 5, ba: 2 }).upwards.map(text)).toEqual(['b > a: 2']);
    expect(rooms({ ab: 2, ba: 5 }).upwards.map(text)).toEqual(['a > b: 2']);
  });

  it('are none without a circle, and the floors are the longest chain', () => {
    const { floors, upwards } = rooms({ ab: 1, bc: 1, ac: 1, dc: 1 });
    expect(upwards).toEqual([]);
    expect(floors).toEqual([['c'], ['b', 'd'], ['a']]);
  });

  it('are the same each time', () => {
    const circle = { ab: 1, bc: 1, cd: 1, da: 1, bd: 1, db: 1 };
    expect(rooms(circle)).toEqual(rooms(circle));
  });
});

it('a repository without code has no floor', () => {
  expect(drawing(treeOf({}), 'the first level')).toEqual({ floors: [], arrows: [], upwards: [] });
});
