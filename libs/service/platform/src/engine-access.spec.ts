import { describe, expect, it } from '@jest/globals';

import { type InvalidSettings, loadPlatformSettings } from '#service/config';

import { assertEngineFiles } from './engine-access.js';

describe('the files of the engines', () => {
  it('that cannot be read prevent the start, all at once, by the names of their settings', () => {
    const files = { ESDB_PASSWORD_FILE: '/nowhere/a', ESDB_CA_FILE: import.meta.filename, REDIS_PASSWORD_FILE: '/nowhere/b' };
    let problems: readonly string[] = [];
    try {
      assertEngineFiles(loadPlatformSettings(files));
    } catch (error) {
      ({ problems } = error as InvalidSettings);
    }
    expect(problems).toEqual([
      'ESDB_PASSWORD_FILE names a file that this user cannot read (ENOENT).',
      'REDIS_PASSWORD_FILE names a file that this user cannot read (ENOENT).',
    ]);
  });

  it('prevent nothing where none is named', () => {
    expect(() => assertEngineFiles(loadPlatformSettings({}))).not.toThrow();
  });
});
