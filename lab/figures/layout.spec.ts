import { describe, expect, it } from '@jest/globals';

import { isBusiness, isEntry, isTest, isUseCase } from './layout.ts';
import { flat, grouped } from './testing/small-trees.ts';

describe('a library', () => {
  it('is a folder of libs in the flat layout', () => {
    expect(flat().libraries).toEqual(['libs/kernel', 'libs/store', 'libs/login', 'libs/web-page']);
  });

  it('is a folder of a group, or stands alone, in the layout with groups', () => {
    expect(grouped().libraries).toEqual([
      'libs/kernel',
      'libs/engines/event-store',
      'libs/engines/job-queue',
      'libs/domain/session',
      'libs/clients/sdk',
    ]);
  });
});

describe('a test', () => {
  it.each([
    'libs/store/src/store.spec.ts',
    'libs/store/src/testing/index.ts',
    'libs/store/src/contract/appending.ts',
    'libs/store/src/store.contract.ts',
    'libs/pki/src/openssl.check.ts',
    'apps/door/test/door.fixture.ts',
    'test/conformance/support/index.ts',
    'testkit/event-store/index.ts',
  ])('is %s', (path) => expect(isTest(path)).toBe(true));

  it.each(['libs/store/src/store.ts', 'lab/bench/main.ts', 'tools/testing.ts', 'libs/testkit/src/index.ts'])('is not %s', (path) =>
    expect(isTest(path)).toBe(false),
  );
});

describe('an entry', () => {
  it.each([
    'apps/door/src/main.ts',
    'apps/door/page/src/main.ts',
    'apps/door/page/src/start.ts',
    'examples/shop/src/main.ts',
    'apps/door/phone/service-worker/service-worker.ts',
  ])('is %s', (path) => expect(isEntry(path)).toBe(true));

  it.each(['apps/door/src/start.ts', 'apps/door/test/src/main.ts', 'bench/main.ts', 'libs/kernel/src/main.ts', 'apps/door/src/main.spec.ts'])(
    'is not %s',
    (path) => expect(isEntry(path)).toBe(false),
  );
});

describe('a use case', () => {
  it.each(['libs/session/src/use-cases/scan.ts', 'libs/domain/session/src/use-cases/scan.ts'])('is %s', (path) => expect(isUseCase(path)).toBe(true));
  it.each(['libs/domain/session/src/use-cases/scan.spec.ts', 'libs/domain/session/src/domain/scan.ts', 'libs/engines/bus/src/use-cases/scan.ts'])(
    'is not %s',
    (path) => expect(isUseCase(path)).toBe(false),
  );
});

describe('the business', () => {
  it.each(['libs/session/src/index.ts', 'libs/domain/session/src/index.ts'])('has %s', (path) => expect(isBusiness(path)).toBe(true));
  it.each(['libs/engines/event-store/src/index.ts', 'apps/session/src/main.ts'])('does not have %s', (path) => expect(isBusiness(path)).toBe(false));
});
