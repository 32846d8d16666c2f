import type { TestFile } from './describe-runner.js';

/** The tests of {@link describeRunner} for a runner whose tests are modules of Node. `imports`: of `test`, `expect` and `runningSandbox`; `extension`: of its files of tests. */
export const nodeTests = (imports: string, extension: string) => {
  const file = (name: string, text: string): TestFile => [`${name}.${extension}`, `${imports}\n${text}\n`];
  const sayAddress = "process.stdout.write('\\nat ' + runningSandbox().url + '\\n');";
  return {
    addresses: [file('one', `test('says it', async () => { ${sayAddress} });`), file('two', `test('says it', async () => { ${sayAddress} });`)],
    wrong: file(
      'wrong',
      `import { newBrowser, openShop } from './visit.js';
test('expects no login', async () => {
  const shop = await openShop(runningSandbox());
  const browse = newBrowser();
  const { location } = await browse(shop.origin + '/login');
  await browse((await runningSandbox().logIn(location)).redirect);
  const { text } = await browse(shop.origin);
  shop.close();
  expect(text).toBe('not logged in');
});`,
    ),
    endless: file('endless', `test('never ends', async () => { ${sayAddress} await new Promise((resolve) => setTimeout(resolve, 2 ** 30)); });`),
  } as const;
};
