import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { Browser, expectOk, SigningClient, type Phone, RelyingParty, StandaloneService, Staff } from '../support/index.js';
import { deliveryViolations, orderViolations, requiredMessages } from './support/webhook-checker.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';
import { WebhookTime } from './support/webhook-time.js';

/** Milliseconds: no promise, only a limit for a webhook that does not come. */
const TIME_LIMIT = 60_000;

let service: StandaloneService;
let staff: Staff;
let client: RelyingParty;
let signingClient: SigningClient;
let time: WebhookTime;
let endpoint: Endpoint;
let phone: Phone;
const all: string[] = [];
const signings = new Set<string>();

beforeAll(async () => {
  service = await StandaloneService.start('webhooks-beside-polling');
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  signingClient = SigningClient.of(client);
  time = new WebhookTime(service);
  endpoint = await Endpoint.add(staff, client, { name: 'beside polling', receiver: await WebhookReceiver.open() });
});

afterAll(async () => {
  await service?.stop();
  endpoint?.receiver.close();
});

interface Begun {
  readonly sessionId: string;
  readonly handoffToken: string;
}

const login = async (changes: Record<string, unknown> = {}) => {
  const begun = await client.login(changes);
  all.push(begun.sessionId);
  return begun;
};
const signing = async (changes: Record<string, unknown> = {}): Promise<Begun> => {
  const begun = await signingClient.begin(changes);
  all.push(begun.sessionId);
  signings.add(begun.sessionId);
  return begun;
};

const messages = ({ sessionId }: Begun) => endpoint.receiver.received.filter((message) => message.sessionId === sessionId);
const polled = async (begun: Begun): Promise<string> => expectOk(await client.status(begun))['status'] as string;
const told = (begun: Begun, status: string): Promise<void> =>
  eventually(async () => messages(begun).some((message) => message.status === status), { what: `webhook of ${status}`, within: TIME_LIMIT });

/** Moves the session while a client holds a poll: the poll, the webhook and a later poll report the same status. */
const moves = async (begun: Begun, status: string, step: () => Promise<unknown>): Promise<void> => {
  const before = await polled(begun);
  const held = client.status(begun, { prefer: 'wait=20' }, `?since=${before}`);
  await step();
  expect(expectOk(await held)['status']).toBe(status);
  await told(begun, status);
  expect(await polled(begun)).toBe(status);
};

/** As `moves`, but without a request: the service has to end the session by itself. */
const endsUnasked = async (begun: Begun, status: string, seconds: number): Promise<void> => {
  await time.pass(seconds);
  await told(begun, status);
  expect(await polled(begun)).toBe(status);
};

/** All statuses that polling showed of a session, except PENDING, were announced, in this order, as stored. */
const expectPollingAndWebhooks = async (begun: Begun, ...statuses: readonly string[]): Promise<void> => {
  const received = messages(begun);
  expect(received.map(({ status }) => status)).toEqual(statuses);
  expect(received.map(({ type }) => type)).toEqual(statuses.map((status) => `session.${status.toLowerCase()}`));
  const events = expectOk(await staff.timeline(begun.sessionId))['events'] as readonly { readonly sequence: number; readonly at: string }[];
  for (const { sequence, timestamp } of received) expect(timestamp).toBe(events[sequence]?.at);
  expect(orderViolations({ name: endpoint.name, received })).toEqual([]);
};

const scanned = (begun: Begun) => moves(begun, 'SCANNED', async () => expectOk(await phone.scan(begun.sessionId)));
const confirmed = (begun: Begun) => moves(begun, 'CONFIRMED', async () => expectOk(await phone.confirm(begun.sessionId)));

describe('webhooks report each transition as polling shows it', () => {
  beforeAll(async () => {
    phone = await staff.newPhone();
  });

  it('a login on the client’s own page', async () => {
    const begun = await login();
    await scanned(begun);
    await confirmed(begun);
    await moves(begun, 'COMPLETED', async () => expectOk(await client.complete(begun)));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CONFIRMED', 'COMPLETED');
  });

  it('a login on the hosted page', async () => {
    const begun = await login({ hosted_page: true });
    const browser = new Browser(service);
    expectOk(await browser.claim(begun.handoffToken));
    await scanned(begun);
    await confirmed(begun);
    await moves(begun, 'COMPLETED', async () => expectOk(await browser.complete(begun.sessionId)));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CONFIRMED', 'COMPLETED');
  });

  it.each(['DECLINED', 'LEFT'])('a login that ends on the phone: %s', async (reason) => {
    const begun = await login();
    await scanned(begun);
    await moves(begun, 'CANCELLED', async () => expectOk(await phone.decline(begun.sessionId, reason)));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CANCELLED');
  });

  it('a login that ends with three wrong PINs', async () => {
    const clumsy = await staff.newPhone();
    const begun = await login();
    await moves(begun, 'SCANNED', async () => expectOk(await clumsy.scan(begun.sessionId)));
    await moves(begun, 'CANCELLED', async () => {
      for (const n of [1, 2, 3]) await clumsy.confirm(begun.sessionId, { pin: clumsy.wrongPin(n) });
    });
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CANCELLED');
  });

  it('a login that its client cancels, before and after the scan', async () => {
    const untouched = await login();
    await moves(untouched, 'CANCELLED', () => client.cancel(untouched));
    await expectPollingAndWebhooks(untouched, 'CANCELLED');
    const begun = await login();
    await scanned(begun);
    await moves(begun, 'CANCELLED', () => client.cancel(begun));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CANCELLED');
  });

  it('a signature', async () => {
    const begun = await signing();
    await scanned(begun);
    await moves(begun, 'COMPLETED', async () => expectOk(await phone.confirm(begun.sessionId)));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'COMPLETED');
  });

  it('a signature that is declined', async () => {
    const begun = await signing();
    await scanned(begun);
    await moves(begun, 'CANCELLED', async () => expectOk(await phone.decline(begun.sessionId)));
    await expectPollingAndWebhooks(begun, 'SCANNED', 'CANCELLED');
  });

  it('expiry without any request: a login that is not scanned, one that is not confirmed, a signature that cannot be made', async () => {
    const untouched = await login();
    await endsUnasked(untouched, 'EXPIRED', 121);
    await expectPollingAndWebhooks(untouched, 'EXPIRED');
    const begun = await login();
    await scanned(begun);
    await endsUnasked(begun, 'EXPIRED', 121);
    await expectPollingAndWebhooks(begun, 'SCANNED', 'EXPIRED');
    const unmade = await signing();
    await scanned(unmade);
    expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/faults', json: { time_stamp_down: true } }));
    expectOk(await phone.confirm(unmade.sessionId));
    await endsUnasked(unmade, 'CANCELLED', 61);
    await expectPollingAndWebhooks(unmade, 'SCANNED', 'CANCELLED');
  });
});

describe('at the end', () => {
  it('each stored transition has arrived once, and nothing else', async () => {
    const stored = await requiredMessages(staff, all, signings);
    expect(deliveryViolations(stored, await endpoint.history())).toEqual([]);
    expect(endpoint.receiver.received).toHaveLength(stored.length);
    console.log(`${all.length} sessions, ${stored.length} transitions, each polled and announced`);
  });
});
