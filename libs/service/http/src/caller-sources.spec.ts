import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = ['libs/{*,*/*}/src/**/*.ts', 'apps/*/src/**/*.ts', 'examples/*/src/**/*.ts'];
/** In certificates `ip` is a form of names. */
const NO_REQUESTS = /^libs\/signatures\//;
const TESTS = /\.(spec|contract|check|fixture)\.ts$|\/testing\//;

/** A member `ip` or `ips`, as `request.ip`, `request['ip']` or `{ ip }`, and what else tells the address of a caller. */
const ADDRESS = /(?:[.{,]\s*|\[')ips?\b|remoteAddress|x-forwarded-for/;

const ALLOWED: Readonly<Record<string, string>> = {
  'libs/service/http/src/client-network.ts': 'the one place that knows the caller of a request',
  'apps/registry/src/critical-changes.ts': 'sends an approved change again as the request of the same caller',
  'libs/service/platform/src/doctor/ask-address.ts': 'sends a forged address, to see whether it is believed',
  'apps/sandbox/src/known-callers.ts': 'judges the connection, since the sandbox refuses whatever a proxy passes on',
  'libs/domain/webhook/src/delivery/guarded-exchange.ts': 'checks the host that the service calls',
};

describe('the sources', () => {
  const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((path) => !TESTS.test(path) && !NO_REQUESTS.test(path));

  it('read the address of a request in one file, so that each limit counts the same callers', () => {
    expect(sources.length).toBeGreaterThan(500);
    const found = sources.filter((path) => ADDRESS.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(found.sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it.each(['take(request.ip)', "request['ip']", 'const { headers, ip } = request', '({ ips }: FastifyRequest)', 'socket.remoteAddress'])(
    'would be found by this test with %s',
    (line) => expect(line).toMatch(ADDRESS),
  );
});
