import { describe, expect, it } from '@jest/globals';

import { examinePlatformSettings } from './load-platform-settings.js';

const problemsOf = (environment: Record<string, string>): readonly string[] => examinePlatformSettings(environment).problems;

describe('the server of checkpoints', () => {
  it.each(['https://checkpoints.example', 'https://checkpoints.example:8443/countersign/'])('may be %s', (ANCHOR_URL) => {
    const { settings, problems } = examinePlatformSettings({ ANCHOR_URL, ANCHOR_TOKEN_FILE: '/run/token', ANCHOR_CA_FILE: '/run/ca.pem' });
    expect([settings.anchorUrl, problems]).toEqual([ANCHOR_URL.replace(/\/$/, ''), []]);
  });

  it.each([
    'http://checkpoints.example',
    'https://user:hunter2@checkpoints.example',
    'https://checkpoints.example/?token=hunter2',
    'checkpoints.example',
  ])('is not %s, which no message repeats', (ANCHOR_URL) =>
    expect(problemsOf({ ANCHOR_URL })).toEqual([expect.stringMatching(/^ANCHOR_URL must be an https? (or https )?address[^:]*\.$/)]),
  );

  it('or a folder is what the time-stamps need', () => {
    expect(problemsOf({ ANCHOR_TIMESTAMPS: 'true' })).toEqual(['ANCHOR_TIMESTAMPS needs ANCHOR_DIR or ANCHOR_URL.']);
    for (const place of [{ ANCHOR_DIR: '/mnt/checkpoints' }, { ANCHOR_URL: 'https://checkpoints.example' }])
      expect(problemsOf({ ANCHOR_TIMESTAMPS: 'true', ...place } as unknown as Record<string, string>)).toEqual([]);
  });

  it.each(['ANCHOR_TOKEN_FILE', 'ANCHOR_CA_FILE'])('is what %s needs', (name) =>
    expect(problemsOf({ [name]: '/run/file' })).toEqual([`${name} needs ANCHOR_URL.`]),
  );
});
