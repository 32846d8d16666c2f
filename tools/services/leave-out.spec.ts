import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

import { exportedNames, leaveOut, leaveOutPackages, requireBuiltins } from './leave-out.ts';

describe('what a bundle leaves out', () => {
  it('knows each name that a compiled module exports', () => {
    const source =
      'export class A {}\nexport const b = 1;\nexport async function c() {}\nexport { d, e as f };\nexport { g } from "./g.js";\nconst h = 1;\n';
    expect(exportedNames(source)).toEqual(['A', 'b', 'c', 'd', 'f', 'g']);
  });

  describe('of a program', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'leave-out-'));
      await writeFile(join(folder, 'engine.js'), "import 'absent-driver';\nexport class Engine { constructor() { this.real = true; } }\n");
      await writeFile(join(folder, 'used.js'), 'export const used = 7;\n');
    });
    afterAll(() => rm(folder, { recursive: true }));

    const bundled = async (source: string): Promise<Record<string, unknown>> => {
      const { outputFiles } = await build({
        stdin: { contents: source, resolveDir: folder },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        plugins: [leaveOut(/leave-out-.*\.js$/, /used\.js$/), leaveOutPackages(/^absent-library$/), requireBuiltins(/^node:http$/)],
      });
      return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as Record<string, unknown>;
    };

    it('is a module that may be imported, and whose exports say that they are not there', async () => {
      const { make, used } = await bundled(
        "import { Engine } from './engine.js'; import { used } from './used.js'; export { used }; export const make = () => new Engine();",
      );
      expect(used).toBe(7);
      expect(make as () => unknown).toThrow('Engine is not part of this package');
    });

    it('is a package of which nothing is used, and the copy of a module of Node', async () => {
      const { absent, codes } = await bundled(
        "import { parse } from 'absent-library'; import { STATUS_CODES } from 'node:http'; export const absent = parse, codes = STATUS_CODES;",
      );
      expect(absent).toBeUndefined();
      expect(codes).toMatchObject({ 404: 'Not Found' });
    });
  });
});
