import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { ListeningProgram, type Phone, RelyingParty, Staff, WebhookReceiver } from '../support/index.js';
import { type Distributed, startDistributed } from './support/distributed.js';

/** Logins while a replica is away, and as many before and after. */
const LOGINS = 3;

let distributed: Distributed;
let shop: RelyingParty;
let phone: Phone;
let program: ListeningProgram;
const local = new WebhookReceiver();

beforeAll(async () => {
  distributed = await startDistributed('listeners', {}, { replicated: ['session-api'] });
  const { service } = distributed;
  shop = await RelyingParty.register(service);
  phone = await new Staff(service).newPhone();
  await local.listen();
  program = await ListeningProgram.start({ args: ['listen', '--forward-to', local.url], url: service.baseUrls[0]!, ...shop });
});

afterAll(async () => {
  await program?.stop();
  local.close();
  await distributed?.topology.stop();
});

describe('kill -9 of each replica of the session API in turn, one of which has the connection', () => {
  it('brings each message about each login to the local server once, over the replica that is left', async () => {
    const replicas = distributed.topology.of('session-api');
    expect(replicas).toHaveLength(2);
    const completed: string[] = [];
    const logIn = async (): Promise<void> => {
      for (let login = 0; login < LOGINS; login++) completed.push((await shop.completed(phone)).sessionId);
    };
    const connectedAgain = (): number => program.notes.filter((line) => line.startsWith('connected again')).length;
    for (const [killed, replica] of replicas.entries()) {
      await logIn();
      await replica.kill();
      await logIn();
      // The second kill meets the replica to which the first has driven the connection, or that has had it from the beginning.
      if (killed === 1) await eventually(() => connectedAgain() > 0, { what: () => program.notes.join('\n') });
      await replica.start();
      await logIn();
    }
    for (const sessionId of completed) await local.until(sessionId, 'session.completed');
    const types = completed.map((sessionId) => local.of(sessionId).map(({ type }) => type));
    expect(types).toEqual(completed.map(() => ['session.scanned', 'session.confirmed', 'session.completed']));
    expect(new Set(local.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(3 * completed.length);
    expect(program.notes.join()).not.toContain('may be missing');
  });
});
