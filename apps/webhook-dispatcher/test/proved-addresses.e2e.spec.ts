import { eventually } from '#testkit/kernel/eventually';
import type { ClientId } from '#kernel';

import { dispatcherFixture, type Endpoint } from './dispatcher.fixture.js';
import { answering, type Behaviour, type Receiver } from './receiver.js';

const MINUTE = 60_000;

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
let clientId: ClientId;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
  ({ clientId } = dispatcher.sessions.client);
});
afterEach(() => dispatcher.close());

const administration = () => dispatcher.administration;
const shown = async ({ endpointId }: Endpoint) =>
  (await administration().listWebhookEndpoints.execute(clientId)).find((each) => each.endpointId === endpointId);
const change = ({ endpointId }: Endpoint, changes: Parameters<ReturnType<typeof administration>['changeWebhookEndpoint']['execute']>[2]) =>
  administration().changeWebhookEndpoint.execute(clientId, endpointId, changes);
const ping = ({ endpointId }: Endpoint) => administration().pingWebhookEndpoint.execute(clientId, endpointId);
const proofs = ({ endpointId }: Endpoint) => dispatcher.proofs(endpointId);
const states = async (endpoint: Endpoint) => (await proofs(endpoint)).map(({ state }) => state);
const isConfirmed = async (endpoint: Endpoint) => (await shown(endpoint))?.unconfirmed === undefined;
/** Holds each answer until it is let go. */
const holding = () => {
  const held: (() => void)[] = [];
  const hold: Behaviour = (response) => void held.push(() => void response.writeHead(204).end());
  return { hold, held };
};

describe('another address', () => {
  it('gets nothing until it has proved itself, whatever the old one has proved', async () => {
    const endpoint = await dispatcher.endpoint(receiver.url);
    const other = await dispatcher.receiver();
    await change(endpoint, { url: other.url });
    expect(await isConfirmed(endpoint)).toBe(false);
    await dispatcher.sessions.scan(await dispatcher.session());
    other.proof.prove(endpoint.secret);
    await ping(endpoint);
    await eventually(() => isConfirmed(endpoint));
    await dispatcher.sessions.scan(await dispatcher.session());
    await dispatcher.settled(endpoint.endpointId, ['succeeded']);
    expect([receiver.received, other.types()]).toEqual([[], ['session.scanned']]);
  });

  it('ends what was on its way to the old one, as when the endpoint is disabled', async () => {
    const endpoint = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await dispatcher.sessions.scan(await dispatcher.session());
    await eventually(() => receiver.received.length === 1);
    const other = await dispatcher.receiver();
    await change(endpoint, { url: other.url });
    dispatcher.clock.advance(5_000);
    await dispatcher.settled(endpoint.endpointId, ['disabled']);
    expect(other.received).toEqual([]);
  });

  it('is not confirmed by a proof of the old one that was under way', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
    receiver.proof.prove(endpoint.secret);
    const other = await dispatcher.receiver();
    receiver.proof.answered = async () => void (await change(endpoint, { url: other.url }));
    await ping(endpoint);
    await eventually(async () => (await states(endpoint)).includes('superseded'));
    expect(await shown(endpoint)).toMatchObject({ url: other.url, unconfirmed: { because: 'NOT_TRIED' } });
  });

  it('is tried once for all changes within a minute', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
    receiver.behaviour = answering(404);
    for (let count = 0; count < 10; count += 1) await change(endpoint, { url: `${receiver.url}/${count}` });
    await eventually(async () => (await proofs(endpoint)).length === 11);
    dispatcher.clock.advance(MINUTE);
    await eventually(async () => (await states(endpoint)).filter((state) => state === 'superseded').length === 10);
    await eventually(() => receiver.received.length === 6);
    expect(await shown(endpoint)).toMatchObject({ unconfirmed: { because: 'RIGHT_REFUSED' } });
  });

  it('stays confirmed when it is given again, and through a new secret', async () => {
    const endpoint = await dispatcher.endpoint(receiver.url);
    await change(endpoint, { url: receiver.url, eventTypes: ['session.scanned'] });
    await administration().rotateWebhookSecret.execute(clientId, endpoint.endpointId);
    expect(await isConfirmed(endpoint)).toBe(true);
  });
});

describe('an unconfirmed endpoint', () => {
  it('may prove itself with the old or the new secret while its secret rotates', async () => {
    for (const which of ['old', 'new']) {
      const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
      const renewed = (await administration().rotateWebhookSecret.execute(clientId, endpoint.endpointId)).reveal();
      receiver.proof.prove(which === 'old' ? endpoint.secret : renewed);
      await ping(endpoint);
      await eventually(() => isConfirmed(endpoint));
    }
  });

  it('that is disabled is not tried by itself, and anew once it is enabled', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url, { disabledBecause: 'STAFF' });
    await eventually(async () => (await proofs(endpoint)).length === 1);
    dispatcher.clock.advance(MINUTE);
    await eventually(async () => (await states(endpoint))[0] === 'disabled');
    expect(receiver.received).toEqual([]);
    await change(endpoint, { disabledBecause: null });
    await eventually(async () => (await proofs(endpoint)).length === 2);
    receiver.proof.prove(endpoint.secret);
    dispatcher.clock.advance(MINUTE);
    await eventually(() => isConfirmed(endpoint));
  });

  it('that is disabled proves itself on request, and still gets nothing', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url, { disabledBecause: 'STAFF' });
    receiver.proof.prove(endpoint.secret);
    await ping(endpoint);
    await eventually(() => isConfirmed(endpoint));
    await dispatcher.sessions.scan(await dispatcher.session());
    expect(await dispatcher.deliveries(endpoint.endpointId)).toEqual([]);
  });

  it('that is removed during its proof ends it, and stays removed', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
    const { hold, held } = holding();
    receiver.behaviour = hold;
    await ping(endpoint);
    await eventually(() => held.length === 1);
    await administration().removeWebhookEndpoint.execute(clientId, endpoint.endpointId);
    receiver.proof.prove(endpoint.secret);
    held[0]!();
    await eventually(async () => (await dispatcher.log(endpoint.endpointId)).some(({ type }) => type === 'DeliveryAttempted'));
    expect(await shown(endpoint)).toBeUndefined();
  });

  it('goes on with its proof after a restart, also when the queue has lost it', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
    await eventually(async () => (await proofs(endpoint)).length === 1);
    await dispatcher.restart();
    receiver.proof.prove(endpoint.secret);
    dispatcher.clock.advance(MINUTE);
    await eventually(() => isConfirmed(endpoint));
  });
});

describe('the proofs of one client', () => {
  it('are made one at a time, and a second one of a confirmed endpoint is not made', async () => {
    const endpoint = await dispatcher.unconfirmedEndpoint(receiver.url);
    const others = [await dispatcher.unconfirmedEndpoint(receiver.url), await dispatcher.unconfirmedEndpoint(receiver.url)];
    const { hold, held } = holding();
    receiver.behaviour = hold;
    await ping(endpoint);
    await ping(endpoint);
    for (const other of others) await ping(other);
    await eventually(() => held.length === 1);
    await eventually(async () => (await proofs(others[1]!)).length === 2);
    dispatcher.clock.advance(2_500);
    await eventually(() => held.length === 1);
    receiver.proof.prove(endpoint.secret);
    held[0]!();
    // The first ping was answered 204, whatever its signature: the second proof may be needed.
    await eventually(async () => {
      dispatcher.clock.advance(2_500);
      return (await states(endpoint)).filter((state) => state === 'pending').length <= 1;
    });
    expect(receiver.mostAtOnce).toBe(1);
  });
});
