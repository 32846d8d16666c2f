import { type Answer, exchange, type HttpRequest, Service, topology } from '../../support/index.js';

const SERVICES = { '/relying-party/': 'session-api', '/login-ui/': 'login-bff', '/app/': 'device-api', '/admin/': 'registry' } as const;

/** The services of the topology without the gateway: a request goes to the replica of the number that is set. */
export class Replicas extends Service {
  /** 0 or 1. */
  number = 0;

  static ofTheRun(): Replicas {
    const { LOGIN_URL, ADMIN_TOKEN } = topology!.settings;
    return new Replicas([], LOGIN_URL!, ADMIN_TOKEN!, 0);
  }

  override sendUnchecked(request: HttpRequest): Promise<Answer> {
    const [, name] = Object.entries(SERVICES).find(([prefix]) => request.path.startsWith(prefix))!;
    return exchange(topology!.of(name)[this.number]!.url, request);
  }
}
