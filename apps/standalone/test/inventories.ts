/** What claims of docs/security hold for. */
export interface Inventory {
  /** The one function or value that makes it from the code. A test that runs over the inventory uses this name. */
  readonly madeBy: string;
  /** The file that exports it. */
  readonly file: string;
}

/** Every inventory that a row of docs/security may name. docs/security/inventories.md says what each holds. */
export const INVENTORIES: Readonly<Record<string, Inventory>> = {
  routes: { madeBy: 'servedRoutes', file: 'apps/standalone/test/served-routes.ts' },
  'admin routes': { madeBy: 'ADMIN_RIGHTS', file: 'apps/registry/src/admin-rights.ts' },
  'critical changes': { madeBy: 'CRITICAL_ROUTES', file: 'apps/registry/src/admin-rights.ts' },
  operations: { madeBy: 'documentedOperations', file: 'testkit/inventories/documented-operations.ts' },
  fields: { madeBy: 'documentedFields', file: 'testkit/inventories/documented-operations.ts' },
  answers: { madeBy: 'ofReference', file: 'test/support/documented-answers.ts' },
  requests: { madeBy: 'requestClasses', file: 'apps/standalone/src/open-api/request-classes.ts' },
  streams: { madeBy: 'STREAMS', file: 'libs/service/platform/src/streams.ts' },
  topics: { madeBy: 'declaredTopics', file: 'testkit/inventories/topics.ts' },
  parsers: { madeBy: 'PARSERS', file: 'test/fuzz/parsers.ts' },
  settings: { madeBy: 'settingsOf', file: 'libs/service/config/src/setting.decorator.ts' },
  'error codes': { madeBy: 'errorCatalogue', file: 'libs/service/http/src/error-catalogue.ts' },
  limits: { madeBy: 'LIMITS', file: 'apps/standalone/test/caller-limits.e2e.spec.ts' },
  secrets: { madeBy: 'allSecrets', file: 'test/support/secrets.ts' },
  sources: { madeBy: 'productSources', file: 'testkit/inventories/product-sources.ts' },
  packages: { madeBy: 'productPackages', file: 'testkit/inventories/product-sources.ts' },
};
