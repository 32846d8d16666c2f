import { describe, expect, it } from '@jest/globals';

import type { BlockedClient, Prover } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { BlockedClients } from './blocked-clients.js';

const prover = {} as Prover;
const done: Reply<true> = { kind: 'OK', body: true };
const SHOP = { clientId: 'shop', relyingPartyName: 'Shop' };

/** A service that keeps a list of blocked clients; a phone that shows the list. */
const fixture = ({ reachable = true, enrolled = true } = {}) => {
  const calls: string[] = [];
  const shown: string[][] = [];
  let blocked: BlockedClient[] = [];
  const answer = async <Body>(call: string, make: () => Body): Promise<Reply<Body>> => {
    calls.push(call);
    return reachable ? { kind: 'OK', body: make() } : { kind: 'UNREACHABLE' };
  };
  const write = async (call: string, change: () => void): Promise<Reply<true>> =>
    (await answer(call, change)).kind === 'OK' ? done : { kind: 'UNREACHABLE' };
  const clients = new BlockedClients({
    phone: {
      prover: enrolled ? prover : undefined,
      showAtHome: ({ blocked: list }) =>
        shown.push(list.map(({ relyingPartyName, reported }) => `${relyingPartyName}${reported ? ' reported' : ''}`)),
    },
    api: {
      blockedClients: () => answer('list', () => blocked),
      sessionClient: (_, sessionId) => answer(`client of ${sessionId}`, () => SHOP),
      blockClient: (_, clientId) => write(`block ${clientId}`, () => (blocked = [{ ...SHOP, clientId, blockedAt: 1, reported: false }])),
      reportClient: (_, clientId) => write(`report ${clientId}`, () => (blocked = blocked.map((each) => ({ ...each, reported: true })))),
      unblockClient: (_, clientId) => write(`unblock ${clientId}`, () => (blocked = [])),
    },
  });
  return { clients, calls, shown };
};

describe('the blocked relying parties', () => {
  it('are read once for each visit of the home screen', async () => {
    const { clients, calls } = fixture();
    clients.start();
    clients.start();
    expect(calls).toEqual(['list']);
    clients.stop();
    clients.start();
    expect(calls).toEqual(['list', 'list']);
  });

  it('are blocked by the request that they sent, reported, and unblocked, and the list shows it each time', async () => {
    const { clients, calls, shown } = fixture();
    await clients.block('s1');
    await clients.report(SHOP);
    await clients.unblock(SHOP);
    expect(calls).toEqual(['client of s1', 'block shop', 'list', 'report shop', 'list', 'unblock shop', 'list']);
    expect(shown).toEqual([['Shop'], ['Shop reported'], []]);
  });

  it('are not shown once the home screen was left', async () => {
    const { clients, shown } = fixture();
    clients.start();
    clients.stop();
    await new Promise(setImmediate);
    expect(shown).toEqual([]);
  });

  it('are none who cannot be named: nothing is blocked without an answer of the service, or without a phone', async () => {
    const away = fixture({ reachable: false });
    await away.clients.block('s1');
    expect([away.calls, away.shown]).toEqual([['client of s1'], []]);
    const fresh = fixture({ enrolled: false });
    await fresh.clients.block('s1');
    await fresh.clients.unblock(SHOP);
    expect([fresh.calls, fresh.shown]).toEqual([[], []]);
  });
});
