import type { RecordMacs } from '#engines/message-bus';

import type { PlatformParts } from './platform-parts.js';
import type { UseCases } from './use-cases.js';

/**
 * The parts of the process that an app needs. Each app exports `create<App>App(platform)` from its `app.ts`; its
 * `main.ts`, `standalone` or a test passes the platform.
 */
export interface Platform extends PlatformParts {
  /** The repositories and use cases of the process: one of each kind for all applications. */
  readonly useCases: UseCases;
  /**
   * The same over the store as it is, without the comparison with what was published: only for the acceptance of a loss. Undefined where nothing is compared.
   */
  readonly unguarded: (() => UseCases) | undefined;
  /** For the records on Kafka. */
  readonly recordMacs: RecordMacs;
  /** The checks of `/readyz` by name. An app adds its own, for a list that is still being read for instance. */
  readonly readiness: Map<string, () => Promise<unknown>>;
  /** Resolves when the process answers requests. Consumers, read models and reconciliation begin then, as no request waits for them: a backlog does not delay the start. */
  readonly serving: Promise<void>;
}
