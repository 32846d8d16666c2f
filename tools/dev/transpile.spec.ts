import { describe, expect, it } from '@jest/globals';

import { transpile } from './transpile.js';

describe('a changed file', () => {
  it('is transpiled without reading the files that it imports', () => {
    const { javaScript, sourceMap, faults } = transpile('libs/x/src/y.ts', "import { z } from './no-such-file.js';\nexport const y: number = z;\n");
    expect(javaScript).toMatch(/^import \{ z \} from '.\/no-such-file.js';\nexport const y = z;\n/);
    expect(JSON.parse(sourceMap)).toMatchObject({ sources: ['../../../../libs/x/src/y.ts'] });
    expect(faults).toBe('');
  });

  it('keeps the types of constructor parameters, by which Nest injects', () => {
    const { javaScript } = transpile(
      'apps/x/src/y.controller.ts',
      "import { Z } from './z.js';\n@Controller()\nexport class Y { constructor(z: Z) {} }\n",
    );
    expect(javaScript).toMatch(/__metadata\("design:paramtypes", \[.*\bZ\b/);
  });

  it('with a fault of syntax is reported by its place', () => {
    expect(transpile('libs/x/src/y.ts', 'export const y = ;\n').faults).toMatch(/^libs\/x\/src\/y\.ts\(1,18\): error TS1109/);
  });
});
