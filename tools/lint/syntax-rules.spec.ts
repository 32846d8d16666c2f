import { describe, expect, it } from '@jest/globals';
import { ESLint, Linter } from 'eslint';
import { parser } from 'typescript-eslint';

const eslint = new ESLint();

/** The messages of `no-restricted-syntax` for code that would stand in a file of this name. */
const refusals = async (path: string, code: string): Promise<readonly string[]> => {
  const { rules } = (await eslint.calculateConfigForFile(path)) as { readonly rules: Linter.RulesRecord };
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser },
    rules: { 'no-restricted-syntax': rules['no-restricted-syntax']! },
  };
  return new Linter().verify(code, [config], path).map(({ message }) => message);
};

const LITERAL = 'Import by a literal path, so that types, the linter and dependency-cruiser see it.';
const QUERY = 'SQL stands in a folder read-models.';
const PORT = 'Take the port, not an engine: the process chooses the engine.';
const SETTING = 'The settings of engines belong to the process.';

describe('a restriction of syntax', () => {
  it.each([
    ['apps/cli/src/commands/session.ts', "await import(new URL('../store/doctor.js', import.meta.url).href);", LITERAL],
    ['apps/login-bff/page/src/start.ts', 'await import(path);', LITERAL],
    ['libs/clients/relying-party/src/qr.ts', 'await import(path);', LITERAL],
    ['libs/kernel/src/clock.ts', 'await import(path);', LITERAL],
    ['libs/domain/session/src/use-cases/list.ts', "database.selectFrom('sessions_v1');", QUERY],
    ['libs/domain/session/src/repositories/list.ts', "database.deleteFrom('sessions_v1');", QUERY],
    ['apps/registry/src/sessions.controller.ts', "database.insertInto('sessions_v1');", QUERY],
    ['libs/service/platform/src/doctor/check-engines.ts', "database.updateTable('sessions_v1');", QUERY],
    ['libs/domain/session/src/use-cases/store.ts', "import { SqliteEventStore } from '#engines/event-store';", PORT],
    ['libs/domain/session/src/repositories/store.ts', "import { openEventStoreDb } from '#engines/event-store';", PORT],
    ['libs/domain/session/src/read-models/store.ts', "import { openPostgresqlReadModels } from '#engines/read-model';", PORT],
    ['libs/domain/webhook/src/webhook-use-cases.ts', "import { type KafkaSettings } from '#engines/message-bus';", PORT],
    ['libs/domain/session/src/session-settings.ts', 'export interface Settings { readonly esdbUrl: string }', SETTING],
    ['libs/domain/identity/src/use-cases/a.ts', 'settings.redisUrl;', SETTING],
  ])('in %s refuses %s', async (path, code, message) => {
    expect(await refusals(path, `${code}\n`)).toEqual([message]);
  });

  it.each([
    ['apps/cli/src/commands/session.ts', "await import('../store/doctor.js');"],
    ['libs/engines/sqlite/src/worker.ts', "new Worker(new URL('./worker.js', import.meta.url));"],
    ['libs/domain/session/src/read-models/list.ts', "database.selectFrom('sessions_v1');"],
    ['libs/domain/session/src/status/redis/cache.ts', "import { type RedisAccess } from '#engines/access';"],
    ['libs/domain/session/src/use-cases/store.ts', "import { type EventStore, UnitOfWork } from '#engines/event-store';"],
    ['libs/domain/session/src/use-cases/store.spec.ts', "import { SqliteEventStore } from '#engines/event-store';"],
  ])('in %s takes %s', async (path, code) => {
    expect(await refusals(path, `${code}\n`)).toEqual([]);
  });
});
