import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { ListeningProgram, type Phone, RelyingParty, secretLogLines, Staff, StandaloneService, WebhookReceiver } from '../support/index.js';

const ROUNDS = 3;
/** Logins in a round that end before the process is killed, and as many after its start. */
const LOGINS = 5;

let service: StandaloneService;
let shop: RelyingParty;
let phone: Phone;
let program: ListeningProgram;
const local = new WebhookReceiver();

beforeAll(async () => {
  service = await StandaloneService.start('listeners');
  shop = await RelyingParty.register(service);
  phone = await new Staff(service).newPhone();
  await local.listen();
  program = await ListeningProgram.start({ args: ['listen', '--forward-to', local.url], url: service.baseUrls[0]!, ...shop });
});

afterAll(async () => {
  await program?.stop();
  local.close();
  await service?.stop();
});

describe('kill -9 of the process to which a listener is connected', () => {
  it('loses no message of a login that the service has acknowledged, and brings none to the local server twice', async () => {
    const completed: string[] = [];
    const logIn = async (): Promise<void> => {
      for (let login = 0; login < LOGINS; login++) completed.push((await shop.completed(phone)).sessionId);
    };
    const connectedAgain = (): number => program.notes.filter((line) => line === 'connected again, nothing was missed').length;
    for (let round = 1; round <= ROUNDS; round++) {
      await logIn();
      // The last messages may be on their way.
      await service.kill();
      await service.restart();
      await logIn();
      await eventually(() => connectedAgain() === round, { what: () => program.notes.join('\n') });
    }
    for (const sessionId of completed) await local.until(sessionId, 'session.completed');
    const types = completed.map((sessionId) => local.of(sessionId).map(({ type }) => type));
    expect(types).toEqual(completed.map(() => ['session.scanned', 'session.confirmed', 'session.completed']));
    expect(new Set(local.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(3 * completed.length);
    expect(program.notes.join()).not.toContain('may be missing');
  });

  it('leaves no secret in the log', () => {
    expect(secretLogLines()).toEqual([]);
  });
});
