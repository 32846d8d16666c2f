import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

import { openClient } from './client.js';

const client = openClient('esdb://localhost:2113?tls=false') as unknown as Readonly<Record<string, unknown>>;

describe('@eventstore/db-client 6.2.1', () => {
  it.each(['GRPCStreamCreator', 'getGRPCClient', 'handleError', 'execute', 'callArguments', 'getChannel'])(
    'has the method %s, which its types keep protected',
    (name) => {
      expect(client[name]).toEqual(expect.any(Function));
    },
  );

  it('keeps its open calls in a set', () => {
    expect(client['disposableStreams']).toBeInstanceOf(Set);
  });

  it('keeps what the server tells of itself', () => {
    expect('capabilities' in client).toBe(true);
  });

  it('makes the arguments of a call from its options', () => {
    const { callArguments } = client as unknown as { callArguments: (this: unknown, ...given: unknown[]) => readonly unknown[] };
    const [metadata, options] = callArguments.call(client, { requiresLeader: true }, { deadline: Infinity }) as [
      { get(name: string): readonly unknown[] },
      { deadline: unknown },
    ];
    expect(metadata.get('requires-leader')).toEqual(['true']);
    expect(options.deadline).toBe(Infinity);
  });

  it('brings the stubs and messages of the protocol', () => {
    expect(streamsService.StreamsClient.prototype).toMatchObject({ batchAppend: expect.any(Function), read: expect.any(Function) });
    // Of a generic client, for calls that the client does not know.
    expect(streamsService.StreamsClient.prototype).toMatchObject({ makeUnaryRequest: expect.any(Function) });
    expect(featuresService.ServerFeaturesClient.prototype).toMatchObject({ getSupportedMethods: expect.any(Function) });
    expect(gossipService.GossipClient.prototype).toMatchObject({ read: expect.any(Function) });
    for (const message of [
      streams.BatchAppendReq,
      streams.BatchAppendResp,
      streams.ReadReq,
      streams.ReadResp,
      shared.UUID,
      gossip.ClusterInfo,
      features.SupportedMethods,
    ])
      expect(message.prototype.serializeBinary).toEqual(expect.any(Function));
  });

  it('answers a subscription as a stream to which a note can be pushed', () => {
    const { Subscription } = createRequire(import.meta.url)('@eventstore/db-client/dist/streams/utils/Subscription.js') as {
      Subscription: { readonly prototype: object };
    };
    expect(Subscription.prototype).toBeInstanceOf(Readable);
  });
});
