import { type LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:net';

import { type EndpointId, InvalidRequest } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { WEBHOOK_EVENT_TYPES, relyingPartyRepositories } from '#domain/relying-party';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';
import { GuardedPost, ReachableNetworks } from '#domain/webhook';
import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '#testkit/webhook/internal-hosts';
import { ownAllEndpoints } from '#testkit/webhook/own-endpoints';

/** No internal address is allowed, as in production. */
const settings = { webhookAllowedNetworks: [] };

let fixture: SessionFixture;
/** Internal servers, at the same port of all addresses of this machine, IPv4 and IPv6. */
let internalServers: Server[];
let port: number;
let connections: number;
let answers: Record<string, readonly (readonly string[])[]>;

const listen = (host: string, at: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    server.once('error', reject).listen({ host, port: at, ipv6Only: true }, () => resolve(server));
  });

beforeAll(async () => {
  const first = await listen('0.0.0.0', 0);
  ({ port } = first.address() as { port: number });
  // A machine may have no IPv6.
  internalServers = [first, ...(await Promise.all([listen('::', port).catch(() => undefined)])).filter((server) => server !== undefined)];
});
afterAll(() => internalServers.forEach((server) => server.close()));
beforeEach(async () => {
  fixture = await sessionFixture();
  [connections, answers] = [0, {}];
});
afterEach(async () => {
  fixture.platform.stop();
  await fixture.platform.close();
});

const administration = () => withParts(fixture.platform, { networks: new ReachableNetworks(settings.webhookAllowedNetworks) }).useCases.webhooks();

/** Each lookup of a name takes the next answer. The last one is repeated. */
const resolve = async (hostname: string): Promise<readonly LookupAddress[]> => {
  const [next = [], ...later] = answers[hostname] ?? [];
  if (later.length > 0) answers[hostname] = later;
  return next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

/** Adds a confirmed endpoint without checking its URL, as if it had been added while the address was allowed. */
const addUnchecked = async (url: string): Promise<EndpointId> => {
  const { clock, randomness, sealer } = fixture.platform;
  const endpointId = randomness.uuid<EndpointId>();
  const sealedSecret = sealer.seal(`whsec_${randomness.bytes(32).toString('base64')}`, endpointId);
  const terms = { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
  const { webhookEndpoints } = relyingPartyRepositories(fixture.platform, 0);
  const { clientId } = fixture.client;
  await webhookEndpoints.handle(clientId, {
    type: 'AddWebhookEndpoint',
    now: clock.now(),
    endpointId,
    terms,
    sealedSecret,
    proofId: randomness.uuid(),
  });
  await confirmEndpoint(webhookEndpoints, { clientId, endpointId, at: clock.now() });
  return endpointId;
};

/** The outcomes of `count` attempts to deliver a ping to the endpoint. */
const outcomes = async (
  endpointId: EndpointId,
  { count = 1, webhookAllowedNetworks }: { count?: number; webhookAllowedNetworks: readonly string[] } = settings,
): Promise<readonly unknown[]> => {
  const { clientId } = fixture.client;
  const post = new GuardedPost({ networks: new ReachableNetworks(webhookAllowedNetworks), resolve, connectTimeout: 300, timeout: 500 });
  const dispatch = withParts(fixture.platform, { post }).useCases.webhookDispatch();
  const end = ownAllEndpoints(fixture.platform.messageBus, dispatch);
  const deliveryId = await administration().pingWebhookEndpoint.execute(clientId, endpointId);
  for (let attempt = 1; attempt <= count; attempt++) {
    await dispatch.attemptDelivery.execute({ version: 1, clientId, endpointId, deliveryId, attempt }, new AbortController().signal);
  }
  end();
  post.close();
  // The list follows the attempts with a short delay.
  let made: readonly unknown[] = [];
  await eventually(async () => {
    const { entries } = await administration().listDeliveries.execute(clientId, endpointId, { limit: 1 });
    made = entries[0]?.attempts.map(({ status, error }) => error ?? status) ?? [];
    return made.length === count;
  });
  return made;
};

describe('an internal address', () => {
  it.each(INTERNAL_LITERALS)('%s is refused at creation and at change, and is not connected to when the endpoint exists already', async (host) => {
    const { clientId } = fixture.client;
    const other = await addUnchecked('https://hooks.rp.example/');
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/hooks`;
      await expect(
        administration().addWebhookEndpoint.execute(clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null }),
      ).rejects.toBeInstanceOf(InvalidRequest);
      await expect(administration().changeWebhookEndpoint.execute(clientId, other, { url })).rejects.toBeInstanceOf(InvalidRequest);
      expect(await outcomes(await addUnchecked(url))).toEqual(['unreachable_address']);
    }
    expect(connections).toBe(0);
  });
});

describe('a name', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['that resolves to loopback', [['127.0.0.1']]],
    ['that resolves to IPv6 loopback', [['::1']]],
    ['that resolves to a mapped address', [['::ffff:127.0.0.1']]],
    ['that resolves to a NAT64 address', [['64:ff9b::7f00:1']]],
    ['that resolves to the metadata service of a cloud', [['169.254.169.254']]],
    ['of which one address is internal', [['192.0.2.1', '127.0.0.1']]],
    ['that resolves to no address', [[]]],
  ])('%s is accepted, since it may change, and not connected to', async (_, found) => {
    answers['hooks.rp.example'] = found;
    const { endpoint } = await administration().addWebhookEndpoint.execute(fixture.client.clientId, {
      url: 'https://hooks.rp.example:8443/',
      eventTypes: WEBHOOK_EVENT_TYPES,
      disabledBecause: null,
    });
    expect(await outcomes(endpoint.endpointId)).toEqual(['unreachable_address']);
    expect(await outcomes(await addUnchecked(`http://hooks.rp.example:${port}/`))).toEqual(['unreachable_address']);
    expect(connections).toBe(0);
  });

  it('is resolved and checked at each attempt', async () => {
    answers['hooks.rp.example'] = [['127.0.0.9'], ['127.0.0.1'], ['::1'], ['127.0.0.9', '127.0.0.1']];
    const found = await outcomes(await addUnchecked(`http://hooks.rp.example:${port}/`), { count: 4, webhookAllowedNetworks: ['127.0.0.9/32'] });
    expect(found).toEqual(['connection_failed', 'unreachable_address', 'unreachable_address', 'unreachable_address']);
    expect(connections).toBe(1);
  });

  it.each(INTERNAL_NAMES)('of an internal network, %s, is refused, and is not connected to when the endpoint exists already', async (host) => {
    answers[host.toLowerCase()] = [['127.0.0.1']];
    const url = `https://${host}:8443/`;
    await expect(
      administration().addWebhookEndpoint.execute(fixture.client.clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null }),
    ).rejects.toBeInstanceOf(InvalidRequest);
    expect(await outcomes(await addUnchecked(`http://${host}:${port}/`))).toEqual(['unreachable_address']);
    expect(connections).toBe(0);
  });
});
