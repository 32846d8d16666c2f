import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Clock } from '#kernel';
import type { Log } from '#telemetry';

import { type ProxyFault, proxyJudge } from './client-network.js';

/** Milliseconds that a fault is reported for after the last request that showed it. */
const REMEMBERED = 600_000;

const SENTENCES: Readonly<Record<ProxyFault, string>> = {
  'no address':
    'A proxy of TRUSTED_PROXIES sends no X-Forwarded-For: its callers count as one. Let it set X-Forwarded-For to the address of its caller.',
  'no IP address':
    'A proxy of TRUSTED_PROXIES names its callers by something else than an IP address in X-Forwarded-For: they count as one. Let it write the address.',
  'not trusted':
    'A proxy that TRUSTED_PROXIES does not name passes requests on: its callers count as one. Name it in TRUSTED_PROXIES, or let only the named proxies reach the service.',
};

export interface ProxyReportsOptions {
  readonly trustedProxies: readonly string[];
  /** The public addresses of the service. */
  readonly urls: readonly string[];
  /** Whether every request is expected by a proxy, so that one which TRUSTED_PROXIES does not name is a fault. */
  readonly behindProxies: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the requests of a process show of the proxies before it: whether they let the service tell its callers apart. */
export class ProxyReports {
  readonly #last = new Map<ProxyFault, number>();
  readonly #judge: (request: FastifyRequest) => ProxyFault | undefined;

  constructor(private readonly options: ProxyReportsOptions) {
    this.#judge = proxyJudge(options.trustedProxies, new Set(options.urls.map((url) => new URL(url).host)));
  }

  /** Looks at every request of an application. */
  watch(fastify: FastifyInstance): void {
    if (this.options.trustedProxies.length === 0 && !this.options.behindProxies) return;
    fastify.addHook('onRequest', (request, _reply, done) => {
      const fault = this.#judge(request);
      if (fault !== undefined) this.#note(fault);
      done();
    });
  }

  /** The faults of the last ten minutes, each with its remedy. */
  warnings(): readonly string[] {
    return [...this.#last].filter(([, at]) => this.#isRecent(at)).map(([fault]) => SENTENCES[fault]);
  }

  #note(fault: ProxyFault): void {
    if (fault === 'not trusted' && !this.options.behindProxies) return;
    const last = this.#last.get(fault);
    this.#last.set(fault, this.options.clock.now());
    if (last === undefined || !this.#isRecent(last)) this.options.log.warn(SENTENCES[fault], { component: 'proxies' });
  }

  #isRecent(at: number): boolean {
    return this.options.clock.now() - at < REMEMBERED;
  }
}
