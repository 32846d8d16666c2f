import { expect, it } from '@jest/globals';

import { changedFiles } from './support/next-release.js';

it('the next release of the upgrade drill, which takes minutes and runs apart, can be made of this build', () => {
  expect(
    changedFiles()
      .map(({ text }) => text)
      .join(),
  ).toContain('SessionNoted');
});
