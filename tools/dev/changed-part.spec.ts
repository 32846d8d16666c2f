import { describe, expect, it } from '@jest/globals';

import { pageFoldersOf, partOf } from './changed-part.js';

describe('a change of', () => {
  it.each([
    'libs/session/src/use-cases/scan-session.ts',
    'apps/session-api/src/app.ts',
    'apps/session-api/src/create-session.dto.ts',
    'apps/login-bff/src/login-cookie.ts',
    'examples/relying-party/src/routes/webhooks.ts',
  ])('%s builds this file alone', (path) => {
    expect(partOf(path)).toBe('source');
  });

  it.each(['apps/login-bff/page/src/login-view.ts', 'apps/device-api/phone/index.html', 'libs/web-page/browser/language.ts'])(
    '%s builds pages',
    (path) => {
      expect(partOf(path)).toBe('page');
    },
  );

  it.each([
    'libs/session/src/domain/session.decider.spec.ts',
    'libs/event-store/src/event-store.contract.ts',
    'libs/session/src/testing/use-case-fixture.ts',
    'apps/registry/test/clients.e2e.spec.ts',
    'apps/standalone/tsconfig.app.json',
    'libs/session/README.md',
  ])('%s builds nothing', (path) => {
    expect(partOf(path)).toBeUndefined();
  });

  it('one page builds this page alone', () => {
    expect(pageFoldersOf(['apps/login-bff/page/src/a.ts', 'apps/login-bff/page/page.css', 'libs/kernel/src/ids.ts'])).toEqual([
      'apps/login-bff/page',
    ]);
  });

  it('code that all pages share builds all of them', () => {
    expect(pageFoldersOf(['apps/login-bff/page/src/a.ts', 'libs/web-page/browser/language.ts'])).toEqual([]);
  });
});
