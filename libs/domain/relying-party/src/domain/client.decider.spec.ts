import type { EndpointId } from '#kernel';
import { deciderSpec } from '#testkit/kernel/decider-spec';

import { clientDecider } from './client.decider.js';
import type { ClientEvent } from './client.events.js';
import type { ClientTerms } from './client.js';

const given = deciderSpec(clientDecider);
const now = Date.UTC(2026, 0, 1);
const terms: ClientTerms = {
  name: 'Acme',
  redirectUris: ['https://acme.example/callback'],
  allowedAttributes: ['name'],
  allowedPredicates: ['ageOver*'],
  dynamicQr: false,
};
const registered: ClientEvent = { type: 'ClientRegistered', data: { at: now, ...terms } };
const issued: ClientEvent = { type: 'SecretIssued', data: { at: now, secretHash: 'one' } };

describe('given nothing', () => {
  it('registers a client together with its first secret', () => {
    given().when({ type: 'RegisterClient', now, terms, secretHash: 'one' }).then(registered, issued);
  });

  it('refuses a name with two scripts in a word', () => {
    given()
      .when({ type: 'RegisterClient', now, terms: { ...terms, name: 'Acm\u0435' }, secretHash: 'one' })
      .refuses('invalid_request', '`name` must not mix scripts within a word, such as Latin and Cyrillic letters.');
  });

  it('refuses to change a client or to issue a secret', () => {
    given()
      .when({ type: 'ChangeClient', now, changes: { name: 'Ajax' } })
      .refuses('client_not_found', 'no such client');
    given().when({ type: 'IssueSecret', now, secretHash: 'two' }).refuses('client_not_found', 'no such client');
  });
});

describe("the service's own client", () => {
  const wanted: ClientTerms = { ...terms, dynamicQr: true, verificationCode: true };
  const keep = { type: 'KeepClient', now, terms: wanted, secretHash: 'derived' } as const;
  const kept: readonly ClientEvent[] = [
    { type: 'ClientRegistered', data: { at: now, ...wanted } },
    { type: 'SecretIssued', data: { at: now, secretHash: 'derived' } },
  ];
  it('is registered where there is none', () => {
    given()
      .when(keep)
      .then(...kept);
  });

  it('stays as it is when it has all it needs', () => {
    given(...kept)
      .when(keep)
      .nothing();
  });

  it('gets the terms and the secret that it needs now', () => {
    given(registered, issued)
      .when(keep)
      .then({ type: 'ClientChanged', data: { at: now, changes: { dynamicQr: true, verificationCode: true } } }, kept[1]!);
  });
});

describe('given a registered client', () => {
  const client = given(registered, issued);

  it('refuses to register another one under its name', () => {
    client.when({ type: 'RegisterClient', now, terms, secretHash: 'two' }).refuses('name_taken', 'a registered client holds the name');
  });

  it('records only what changed', () => {
    client
      .when({ type: 'ChangeClient', now, changes: { name: 'Acme', redirectUris: ['https://acme.example/new'] } })
      .then({ type: 'ClientChanged', data: { at: now, changes: { redirectUris: ['https://acme.example/new'] } } });
  });

  it('does nothing when nothing changes', () => {
    client.when({ type: 'ChangeClient', now, changes: { name: 'Acme', allowedAttributes: ['name'] } }).nothing();
  });

  it('refuses a change that breaks a rule', () => {
    client.when({ type: 'ChangeClient', now, changes: { name: 'ab' } }).refuses('invalid_request', '`name` must have 3 to 64 characters.');
  });

  it('refuses a name with two scripts in a word', () => {
    client
      .when({ type: 'ChangeClient', now, changes: { name: 'Acm\u0435' } })
      .refuses('invalid_request', '`name` must not mix scripts within a word, such as Latin and Cyrillic letters.');
  });

  it('replaces the secret', () => {
    client.when({ type: 'IssueSecret', now, secretHash: 'two' }).then({ type: 'SecretIssued', data: { at: now, secretHash: 'two' } });
    expect(given(registered, issued, { type: 'SecretIssued', data: { at: now, secretHash: 'two' } }).state).toMatchObject({ secretHash: 'two' });
  });
});

describe('given a client that staff disables', () => {
  const disabled: ClientEvent = { type: 'ClientDisabled', data: { at: now } };
  const enabled: ClientEvent = { type: 'ClientEnabled', data: { at: now } };

  it('disables it once, and enables it once', () => {
    given(registered, issued).when({ type: 'DisableClient', now }).then(disabled);
    given(registered, issued, disabled).when({ type: 'DisableClient', now }).nothing();
    given(registered, issued, disabled).when({ type: 'EnableClient', now }).then(enabled);
    given(registered, issued, disabled, enabled).when({ type: 'EnableClient', now }).nothing();
  });

  it('keeps it disabled when its terms or its secret change', () => {
    const changed: ClientEvent = { type: 'ClientChanged', data: { at: now, changes: { name: 'Ajax' } } };
    expect(given(registered, issued, disabled, changed, { ...issued }).state).toMatchObject({ enabled: false });
  });

  it('refuses an unknown client', () => {
    for (const type of ['DisableClient', 'EnableClient'] as const) given().when({ type, now }).refuses('client_not_found', 'no such client');
  });
});

describe('given a client that staff deletes', () => {
  const endpointId = '5f0c8f3e-53a7-4d5c-8f4f-000000000001' as EndpointId;
  const added: ClientEvent = {
    type: 'WebhookEndpointAdded',
    data: { at: now, endpointId, url: 'https://acme.example/hooks', eventTypes: [], disabledBecause: null, sealedSecret: 'sealed', proofId: 'p1' },
  };
  const deleted: ClientEvent = { type: 'ClientDeleted', data: { at: now } };
  const former = given(registered, issued, deleted);

  it('removes its webhook endpoints in the same append', () => {
    given(registered, issued, added)
      .when({ type: 'DeleteClient', now })
      .then({ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } }, deleted);
  });

  it('deletes a disabled client, too', () => {
    given(registered, issued, { type: 'ClientDisabled', data: { at: now } })
      .when({ type: 'DeleteClient', now })
      .then(deleted);
  });

  it('deletes it once', () => {
    former.when({ type: 'DeleteClient', now }).nothing();
  });

  it('keeps the name for sessions that go on, and no secret', () => {
    expect(former.state).toEqual({ status: 'DELETED', terms });
  });

  it('refuses every other command, and an unknown client', () => {
    given().when({ type: 'DeleteClient', now }).refuses('client_not_found', 'no such client');
    former.when({ type: 'ChangeClient', now, changes: { name: 'Ajax' } }).refuses('client_not_found', 'no such client');
    former.when({ type: 'IssueSecret', now, secretHash: 'two' }).refuses('client_not_found', 'no such client');
    former.when({ type: 'EnableClient', now }).refuses('client_not_found', 'no such client');
    former.when({ type: 'DisableClient', now }).refuses('client_not_found', 'no such client');
    former.when({ type: 'RemoveWebhookEndpoint', now, endpointId }).refuses('client_not_found', 'no such client');
  });
});

describe('an event of a client that is not registered', () => {
  const asked: ClientEvent = { type: 'ClientChangeAsked', data: { at: now, by: 'a-member', changeId: '1', changes: { name: 'Ajax' } } };
  const endpointId = 'e1' as EndpointId;
  const added: ClientEvent = {
    type: 'WebhookEndpointAdded',
    data: { at: now, endpointId, url: 'https://hooks.acme.example/', eventTypes: [], disabledBecause: null, sealedSecret: 'one', proofId: 'p1' },
  };
  const LATER: readonly ClientEvent[] = [
    { type: 'ClientChanged', data: { at: now, changes: { name: 'Ajax' } } },
    asked,
    issued,
    { type: 'ClientDisabled', data: { at: now } },
    { type: 'ClientEnabled', data: { at: now } },
    { type: 'ClientDeleted', data: { at: now } },
    added,
  ];

  it.each(LATER)('changes nothing, neither before the registration nor after the deletion: $type', (event) => {
    const deleted: ClientEvent = { type: 'ClientDeleted', data: { at: now } };
    expect(given(event).state).toEqual(clientDecider.initial);
    expect(given(registered, deleted, event).state).toEqual(given(registered, deleted).state);
  });

  it('is not known: a fault of the program', () => {
    expect(() => given({ type: 'ClientPromoted' } as never)).toThrow();
    expect(() => clientDecider.decide({ type: 'PromoteClient' } as never, given(registered).state)).toThrow();
  });
});
