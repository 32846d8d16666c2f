import { build } from 'esbuild';

import { nameClassesOnly } from './name-classes-only.ts';

/** Two classes of one name, of which esbuild renames one, and a function in a function. */
const SOURCE = `
  const make = () => class Session {};
  class Session {}
  const outer = () => { const inner = () => 1; return inner; };
  export const names = [make().name, Session.name], inner = outer();
`;

const bundle = async (source: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: source },
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    keepNames: true,
    plugins: [nameClassesOnly],
  });
  return outputFiles[0]!.text;
};

describe('the names in a bundle', () => {
  it('are kept for classes, also for one that esbuild has renamed', async () => {
    const text = await bundle(SOURCE);
    const { names } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { readonly names: readonly string[] };
    expect(names).toEqual(['Session', 'Session']);
  });

  it('are not defined again for a function each time that it is made', async () => {
    const text = await bundle(SOURCE);
    const { inner } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { readonly inner: () => number };
    expect(Object.getOwnPropertyDescriptor(inner, 'name')?.value).not.toBe('inner');
    expect(inner()).toBe(1);
  });

  it('cannot be kept when esbuild writes another helper', async () => {
    await expect(bundle('export const one = 1;')).rejects.toThrow('no helper for names');
  });
});
