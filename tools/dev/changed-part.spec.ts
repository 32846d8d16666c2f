import { describe, expect, it } from '@jest/globals';

import { pageFoldersOf, partOf } from './changed-part.js';

describe('a change of', () => {
  it.each([
    'libs/domain/session/src/use-cases/scan-session.ts',
    'apps/session-api/src/app.ts',
    'apps/session-api/src/create-session.dto.ts',
    'apps/login-bff/src/login-cookie.ts',
    'examples/relying-party/src/routes/webhooks.ts',
  ])('%s builds this file alone', (path) => {
    expect(partOf(path)).toBe('source');
  });

  it.each(['apps/login-bff/page/src/login-view.ts', 'apps/device-api/phone/index.html', 'libs/web-page/first-frame/src/language.ts'])(
    '%s builds pages',
    (path) => {
      expect(partOf(path)).toBe('page');
    },
  );

  it.each([
    'libs/domain/session/src/domain/session.decider.spec.ts',
    'testkit/event-store/event-store.contract.ts',
    'testkit/session/use-case-fixture.ts',
    'apps/registry/test/clients.e2e.spec.ts',
    'apps/standalone/tsconfig.app.json',
    'libs/domain/session/README.md',
  ])('%s builds nothing', (path) => {
    expect(partOf(path)).toBeUndefined();
  });

  it('one page builds this page alone', () => {
    expect(pageFoldersOf(['apps/login-bff/page/src/a.ts', 'apps/login-bff/page/page.css', 'libs/kernel/src/ids.ts'])).toEqual([
      'apps/login-bff/page',
    ]);
  });

  it('code that all pages share builds all of them', () => {
    expect(pageFoldersOf(['apps/login-bff/page/src/a.ts', 'libs/web-page/first-frame/src/language.ts'])).toEqual([]);
  });
});
