import { type LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:net';

import { type EndpointId, InvalidRequest, Sealer } from '#kernel';
import { WEBHOOK_EVENT_TYPES, WebhookEndpoints } from '#relying-party';
import { type SessionWorld, sessionWorld } from '#session/testing';
import { AddWebhookEndpoint, ChangeWebhookEndpoint, ListDeliveries, PingWebhookEndpoint, webhookAdministration, webhookDispatch } from '#webhook';

/** Nothing inside may be reached, as in production. */
const settings = { webhookAllowedNetworks: [] };

let world: SessionWorld;
/** Something inside, at the same port of both loopback addresses and of all others of this machine. */
let inside: Server[];
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
  // A machine without IPv6 has nothing there to reach.
  inside = [first, ...(await Promise.all([listen('::', port).catch(() => undefined)])).filter((server) => server !== undefined)];
});
afterAll(() => inside.forEach((server) => server.close()));
beforeEach(async () => {
  world = await sessionWorld();
  [connections, answers] = [0, {}];
});
afterEach(async () => {
  world.platform.stop();
  await world.platform.close();
});

type Class<T> = abstract new (...parts: never[]) => T;
const useCase = <T extends object>(type: Class<T>): T =>
  webhookAdministration({ ...world.platform, settings }).find((each): each is T & typeof each => each instanceof type) as T;

/** Each look-up of a name takes the next answer; the last one is repeated. */
const resolve = async (hostname: string): Promise<readonly LookupAddress[]> => {
  const [next = [], ...later] = answers[hostname] ?? [];
  if (later.length > 0) answers[hostname] = later;
  return next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

/** An endpoint that no check has seen: as if it had been made when the address was allowed. */
const smuggled = async (url: string): Promise<EndpointId> => {
  const { clock, eventStore, keys, randomness } = world.platform;
  const endpointId = randomness.uuid<EndpointId>();
  const sealedSecret = new Sealer(keys.data, randomness).seal(`whsec_${randomness.bytes(32).toString('base64')}`, endpointId);
  const terms = { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
  await new WebhookEndpoints(eventStore, clock, randomness).handle(world.client.clientId, { type: 'AddWebhookEndpoint', now: clock.now(), endpointId, terms, sealedSecret });
  return endpointId;
};

/** What so many attempts to deliver a ping to it meet. */
const outcomes = async (endpointId: EndpointId, { count = 1, webhookAllowedNetworks }: { count?: number; webhookAllowedNetworks: readonly string[] } = settings): Promise<readonly unknown[]> => {
  const { clientId } = world.client;
  const dispatch = webhookDispatch({ ...world.platform, settings: { webhookAllowedNetworks } }, { attempted: () => undefined, ended: () => undefined, disabled: () => undefined }, { resolve, connectTimeout: 300, timeout: 500 });
  const deliveryId = await useCase(PingWebhookEndpoint).execute(clientId, endpointId);
  for (let attempt = 1; attempt <= count; attempt++) {
    await dispatch.attemptDelivery.execute({ version: 1, clientId, endpointId, deliveryId, attempt }, new AbortController().signal);
  }
  dispatch.close();
  const { entries } = await useCase(ListDeliveries).execute(clientId, endpointId, { limit: 1 });
  return entries[0]?.attempts.map(({ status, error }) => error ?? status) ?? [];
};

const LITERALS = [
  '127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '0.0.0.0', '0', '127.0.0.1.',
  '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '0xa9fea9fe', '2852039166', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255',
  '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:169.254.169.254]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[fd00:ec2::254]', '[fc00::1]', '[ff02::1]', '[100::1]',
];

describe('an address inside', () => {
  it.each(LITERALS)('%s is refused at creation and at change, and is not connected to when it was there before', async (host) => {
    const { clientId } = world.client;
    const other = await smuggled('https://hooks.rp.example/');
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/hooks`;
      await expect(useCase(AddWebhookEndpoint).execute(clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null })).rejects.toBeInstanceOf(InvalidRequest);
      await expect(useCase(ChangeWebhookEndpoint).execute(clientId, other, { url })).rejects.toBeInstanceOf(InvalidRequest);
      expect(await outcomes(await smuggled(url))).toEqual(['unreachable_address']);
    }
    expect(connections).toBe(0);
  });
});

describe('a name', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['that leads inside', [['127.0.0.1']]],
    ['that leads inside by IPv6', [['::1']]],
    ['that leads inside by a mapped address', [['::ffff:127.0.0.1']]],
    ['that leads inside by NAT64', [['64:ff9b::7f00:1']]],
    ['that leads to the metadata of the cloud', [['169.254.169.254']]],
    ['of which one address is inside', [['192.0.2.1', '127.0.0.1']]],
    ['that leads nowhere', [[]]],
  ])('%s is accepted, since it may change, and not connected to', async (_, found) => {
    answers['hooks.rp.example'] = found;
    const { endpoint } = await useCase(AddWebhookEndpoint).execute(world.client.clientId, { url: 'https://hooks.rp.example:8443/', eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null });
    expect(await outcomes(endpoint.endpointId)).toEqual(['unreachable_address']);
    expect(await outcomes(await smuggled(`http://hooks.rp.example:${port}/`))).toEqual(['unreachable_address']);
    expect(connections).toBe(0);
  });

  it('that led where it may at first, and then inside, is looked at each time', async () => {
    answers['hooks.rp.example'] = [['127.0.0.9'], ['127.0.0.1'], ['::1'], ['127.0.0.9', '127.0.0.1']];
    const met = await outcomes(await smuggled(`http://hooks.rp.example:${port}/`), { count: 4, webhookAllowedNetworks: ['127.0.0.9/32'] });
    expect(met).toEqual(['connection_failed', 'unreachable_address', 'unreachable_address', 'unreachable_address']);
    expect(connections).toBe(1);
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'db', 'db.', 'metadata.google.internal', 'printer.local', 'router.home.arpa'])('of an inner network, %s, is refused, and not connected to when it was there before', async (host) => {
    answers[host.toLowerCase()] = [['127.0.0.1']];
    const url = `https://${host}:8443/`;
    await expect(useCase(AddWebhookEndpoint).execute(world.client.clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null })).rejects.toBeInstanceOf(InvalidRequest);
    expect(await outcomes(await smuggled(`http://${host}:${port}/`))).toEqual(['unreachable_address']);
    expect(connections).toBe(0);
  });
});
