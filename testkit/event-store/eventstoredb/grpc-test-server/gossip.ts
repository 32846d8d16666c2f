import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';

import type { Member } from './cluster-protocol.js';

const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState;
const STATES = { leader: LEADER, follower: FOLLOWER, candidate: UNKNOWN } as const;

/** A node's answer to a gossip read. */
export const clusterInfo = (members: readonly Member[]) => {
  const message = new gossip.ClusterInfo();
  for (const { port, role, isAlive } of members) {
    const endPoint = new gossip.EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(port);
    const id = new shared.UUID();
    id.setString(crypto.randomUUID());
    const member = new gossip.MemberInfo();
    member.setInstanceId(id);
    member.setTimeStamp(`${Date.now()}`);
    member.setState(STATES[role]);
    member.setIsAlive(isAlive);
    member.setHttpEndPoint(endPoint);
    message.addMembers(member);
  }
  return message;
};
