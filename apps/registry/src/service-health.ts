import { ServiceUnavailable } from '#kernel';
import type { DeadLetters, TrustServiceHealth, TrustServiceState } from '#service/platform';
import type { ProjectionBacklog, Projections } from '#engines/read-model';
import { ClientNotFound, type FindClient } from '#domain/relying-party';
import type { FailingEndpoint, ListFailingEndpoints } from '#domain/webhook';

/** The failing endpoints that are listed at most. */
const MOST_ENDPOINTS = 100;

export interface GroupBacklog {
  readonly group: string;
  readonly waiting: number;
  /** Of the newest one, epoch milliseconds. */
  readonly newestAt?: number;
}

/** What the service knows about its own health. A part is absent while its store does not answer. */
export interface HealthReport {
  readonly failingEndpoints?: readonly (FailingEndpoint & { readonly clientName: string })[];
  /** Messages that a consumer group has set aside and an operator has not handed over again. */
  readonly deadLetters?: readonly GroupBacklog[];
  readonly projections?: readonly ProjectionBacklog[];
  readonly trustServices?: readonly TrustServiceState[];
}

interface HealthSources {
  readonly listFailingEndpoints: Pick<ListFailingEndpoints, 'execute'>;
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly deadLetters: Pick<DeadLetters, 'groups' | 'list'>;
  readonly projections: Pick<Projections, 'backlogs'>;
  readonly trustServiceHealth: Pick<TrustServiceHealth, 'list'>;
}

/** Gathers the health of webhooks, topics, read models and trust services for the staff (specification/admin.md#health). */
export class ServiceHealth {
  constructor(private readonly sources: HealthSources) {}

  async report(): Promise<HealthReport> {
    const { projections, trustServiceHealth } = this.sources;
    const [failingEndpoints, deadLetters, backlogs, trustServices] = await Promise.all([
      known(this.#failingEndpoints()),
      known(this.#deadLetters()),
      known(projections.backlogs()),
      known(trustServiceHealth.list()),
    ]);
    return {
      ...(failingEndpoints && { failingEndpoints }),
      ...(deadLetters && { deadLetters }),
      ...(backlogs && { projections: backlogs }),
      ...(trustServices && { trustServices }),
    };
  }

  async #failingEndpoints(): Promise<NonNullable<HealthReport['failingEndpoints']>> {
    const named: (FailingEndpoint & { clientName: string })[] = [];
    for (const endpoint of await this.sources.listFailingEndpoints.execute(MOST_ENDPOINTS)) {
      const client = await this.sources.findClient.execute(endpoint.clientId).catch(ignoreDeleted);
      if (client) named.push({ ...endpoint, clientName: client.name });
    }
    return named;
  }

  #deadLetters(): Promise<readonly GroupBacklog[]> {
    const { deadLetters } = this.sources;
    return Promise.all(
      deadLetters.groups.map(async (group) => {
        const waiting = (await deadLetters.list(group)).filter(({ redriven }) => !redriven);
        const newest = waiting.at(-1);
        return { group, waiting: waiting.length, ...(newest && { newestAt: newest.at }) };
      }),
    );
  }
}

/** Undefined where the source does not answer: the other parts of the report are needed most then. */
const known = async <Part>(part: Promise<Part>): Promise<Part | undefined> => {
  try {
    return await part;
  } catch (error) {
    if (error instanceof ServiceUnavailable) return undefined;
    throw error;
  }
};

/** The client may be deleted between two reads. */
const ignoreDeleted = (error: unknown): undefined => {
  if (!(error instanceof ClientNotFound)) throw error;
};
