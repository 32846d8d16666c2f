import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Access } from './access.js';
import type { Cluster } from './cluster.js';
import { decode } from './cluster-messages.js';
import type { Behaviour } from './dialect.js';
import type { Scavenges } from './scavenges.js';

/** The answer of a route: a status, and an object as JSON or a text. */
type Answer = readonly [status: number, body: object | string];

interface ScavengeAnswer {
  readonly scavengeId: string;
  readonly scavengeLink: string;
}

export interface Administration {
  readonly scavenges: Scavenges;
  readonly cluster: Cluster;
  readonly access: Access;
  readonly behaviour: Behaviour;
}

/** The part of EventStoreDB's HTTP interface that operators use, and the messages between the nodes of a cluster. */
export const adminRoutes =
  (administration: Administration) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(request, Buffer.concat(chunks).toString(), administration).then(([status, body]) => {
        const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
        response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
  };

const answer = async (request: IncomingMessage, body: string, { scavenges, cluster, access, behaviour }: Administration): Promise<Answer> => {
  const { pathname } = new URL(request.url ?? '/', 'http://node');
  if (pathname.startsWith('/cluster/')) {
    const reply = await cluster.receive(pathname, decode(body));
    return reply === undefined ? [404, 'Not Found'] : [200, reply];
  }
  if (pathname === '/gossip') return [200, gossipOf(cluster)];
  if (pathname === '/info') return [200, { esVersion: `${behaviour.version}-grpc-test-server`, state: cluster.leads ? 'leader' : 'follower' }];
  // Also before a leader is known.
  if (pathname === '/health/live') return [204, ''];
  if (!access.mayOperate(request.headers.authorization)) return [401, 'Unauthorized'];
  const [status, administered] = administer(`${request.method} ${pathname}`, scavenges, cluster);
  // As the real server does it: the routes of operators answer text unless the request asks for JSON, also one with `Accept: */*`.
  if (typeof administered === 'string' || request.headers.accept?.includes('application/json')) return [status, administered];
  return [status, textOf(administered)];
};

const textOf = ({ scavengeId, scavengeLink }: ScavengeAnswer): string => `ScavengeId: ${scavengeId}, ScavengeLink: ${scavengeLink}`;

/** The part of `GET /gossip` that tells the nodes and which of them leads. */
const gossipOf = (cluster: Cluster) => ({
  serverIp: '127.0.0.1',
  serverPort: cluster.port,
  members: cluster.members.map(({ port, role, isAlive }) => ({
    state: { leader: 'Leader', follower: 'Follower', candidate: 'Unknown' }[role],
    isAlive,
    httpEndPointIp: '127.0.0.1',
    httpEndPointPort: port,
  })),
});

const administer = (request: string, scavenges: Scavenges, cluster: Cluster): readonly [status: number, body: ScavengeAnswer | string] => {
  switch (request) {
    case 'POST /admin/scavenge': {
      const scavengeId = scavenges.start();
      return scavengeId === undefined ? [400, 'Scavenge is already running'] : [200, answerOf(scavengeId)];
    }
    case 'GET /admin/scavenge/current':
      return [200, answerOf(scavenges.current)];
    case 'POST /admin/node/resign':
      cluster.resign();
      return [200, 'OK'];
    default:
      return [404, 'Not Found'];
  }
};

const answerOf = (scavengeId: string | undefined): ScavengeAnswer =>
  scavengeId === undefined ? { scavengeId: '', scavengeLink: '' } : { scavengeId, scavengeLink: `/admin/scavenge/${scavengeId}` };
