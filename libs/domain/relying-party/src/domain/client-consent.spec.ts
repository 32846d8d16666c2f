import { deciderSpec } from '#testkit/kernel/decider-spec';

import { clientDecider } from './client.decider.js';
import type { ClientEvent } from './client.events.js';
import type { ClientTerms, ConsentTerms } from './client.js';

const given = deciderSpec(clientDecider);
const now = Date.UTC(2026, 0, 1);
const [member, operator] = ['a-member', 'an-operator'];
const terms: ClientTerms = {
  name: 'Acme',
  redirectUris: ['https://acme.example/callback'],
  allowedAttributes: ['name'],
  allowedPredicates: [],
  dynamicQr: false,
};
const registered: ClientEvent = { type: 'ClientRegistered', data: { at: now, ...terms } };
const asked = (changeId: string, changes: Partial<ConsentTerms>): ClientEvent => ({
  type: 'ClientChangeAsked',
  data: { at: now, by: member, changeId, changes },
});
const changed = (changes: Partial<ClientTerms>): ClientEvent => ({ type: 'ClientChanged', data: { at: now, changes } });
const decided = (type: 'ClientChangeAccepted' | 'ClientChangeRefused', changeId: string): ClientEvent => ({
  type,
  data: { at: now, by: operator, changeId },
});
const withdrawn = (changeId: string, by = member): ClientEvent => ({ type: 'ClientChangeWithdrawn', data: { at: now, by, changeId } });
const ask = (changeId: string, changes: Partial<ClientTerms>) => ({ type: 'AskClientChange', now, by: member, changeId, changes }) as const;
const decide = (type: 'AcceptClientChange' | 'RefuseClientChange', changeId: string) => ({ type, now, by: operator, changeId });

describe('given a client of which no change waits', () => {
  const client = given(registered);

  it('lets a change of the name, of the redirect URIs or of the allow-lists wait', () => {
    const changes = { name: 'Ajax', redirectUris: [], allowedAttributes: ['email'], allowedPredicates: ['ageOver*'] };
    client.when(ask('1', changes)).then(asked('1', changes));
    expect(given(registered, asked('1', changes)).state).toMatchObject({ terms, waiting: { changeId: '1', by: member, at: now, changes } });
  });

  it('changes at once what needs no consent', () => {
    client.when(ask('1', { dynamicQr: true, verificationCode: true })).then(changed({ dynamicQr: true, verificationCode: true }));
    client.when(ask('1', { dynamicQr: true, name: 'Ajax' })).then(changed({ dynamicQr: true }), asked('1', { name: 'Ajax' }));
  });

  it('lets a change that switches the finishing by a number on wait, and switches it off at once', () => {
    client
      .when(ask('1', { finishByNumber: true, verificationCode: true }))
      .then(changed({ verificationCode: true }), asked('1', { finishByNumber: true }));
    const on = given(registered, changed({ finishByNumber: true }));
    on.when(ask('1', { finishByNumber: false })).then(changed({ finishByNumber: false }));
    on.when(ask('1', { finishByNumber: true })).nothing();
  });

  it('refuses to ask for numbers together with codes that change each second, also where one of them waits', () => {
    const together = '`finish_by_number` cannot be on together with `dynamic_qr`, which it would undo.';
    client.when(ask('1', { finishByNumber: true, dynamicQr: true })).refuses('invalid_request', together);
    const waiting = given(registered, asked('1', { finishByNumber: true }));
    waiting.when(ask('2', { dynamicQr: true })).refuses('invalid_request', together);
    given(registered, asked('1', { finishByNumber: true }), changed({ dynamicQr: true }))
      .when(decide('AcceptClientChange', '1'))
      .refuses('invalid_request', together);
  });

  it('stores nothing for terms that are as they were', () => {
    client.when(ask('1', { name: 'Acme', allowedAttributes: ['name'], dynamicQr: false })).nothing();
  });

  it('refuses to ask for terms that break a rule', () => {
    client.when(ask('1', { name: 'ab' })).refuses('invalid_request', '`name` must have 3 to 64 characters.');
    client
      .when(ask('1', { name: 'Acm\u0435' }))
      .refuses('invalid_request', '`name` must not mix scripts within a word, such as Latin and Cyrillic letters.');
    client
      .when(ask('1', { redirectUris: ['http://acme.example/'] }))
      .refuses('invalid_request', '`redirect_uris[0]` must be https, or http on loopback.');
  });

  it('refuses a decision and a withdrawal', () => {
    client.when(decide('AcceptClientChange', '1')).refuses('change_not_found', 'no such change waits');
    client.when(decide('RefuseClientChange', '1')).refuses('change_not_found', 'no such change waits');
    client.when({ type: 'WithdrawClientChange', now, by: member }).refuses('change_not_found', 'no change waits');
  });
});

describe('given a client of which a change waits', () => {
  const waiting = [registered, asked('1', { name: 'Ajax', allowedAttributes: ['email'] })];
  const client = given(...waiting);

  it('changes the terms in the append of the acceptance', () => {
    client
      .when(decide('AcceptClientChange', '1'))
      .then(changed({ name: 'Ajax', allowedAttributes: ['email'] }), decided('ClientChangeAccepted', '1'));
  });

  it('changes nothing with the refusal, and remembers it', () => {
    client.when(decide('RefuseClientChange', '1')).then(decided('ClientChangeRefused', '1'));
    const { state } = given(...waiting, decided('ClientChangeRefused', '1'));
    expect(state).toMatchObject({ terms, decided: { changeId: '1', accepted: false, at: now } });
    expect(state).not.toHaveProperty('waiting');
  });

  it('ends it once: what is decided or withdrawn cannot be accepted', () => {
    for (const end of [decided('ClientChangeRefused', '1'), decided('ClientChangeAccepted', '1'), withdrawn('1')])
      given(...waiting, end)
        .when(decide('AcceptClientChange', '1'))
        .refuses('change_not_found', 'no such change waits');
  });

  it('adds another change to it, under another id, so that nothing is accepted that was not looked at', () => {
    const both = { name: 'Ajax', redirectUris: [], allowedAttributes: ['email'] };
    client.when(ask('2', { redirectUris: [] })).then(asked('2', both));
    given(...waiting, asked('2', both))
      .when(decide('AcceptClientChange', '1'))
      .refuses('change_not_found', 'no such change waits');
  });

  it('stores nothing when the same is asked for again, in any order', () => {
    client.when(ask('2', { allowedAttributes: ['email'], name: 'Ajax' })).nothing();
    client.when(ask('2', { name: 'Ajax' })).nothing();
  });

  it('drops the terms that are asked for with their present values, until no change waits', () => {
    client.when(ask('2', { name: 'Acme' })).then(asked('2', { allowedAttributes: ['email'] }));
    client.when(ask('2', { name: 'Acme', allowedAttributes: ['name'] })).then(withdrawn('1'));
  });

  it('is withdrawn by a member or by an operator', () => {
    client.when({ type: 'WithdrawClientChange', now, by: operator }).then(withdrawn('1', operator));
  });

  it('goes on waiting while an operator changes the terms; terms that are equal by then are left out', () => {
    given(...waiting, changed({ name: 'Ajax' }))
      .when(decide('AcceptClientChange', '1'))
      .then(changed({ allowedAttributes: ['email'] }), decided('ClientChangeAccepted', '1'));
    given(...waiting, changed({ name: 'Ajax', allowedAttributes: ['email'] }))
      .when(decide('AcceptClientChange', '1'))
      .then(decided('ClientChangeAccepted', '1'));
  });
});

describe('given a client of which twenty changes were asked for today', () => {
  const day = 86_400_000;
  const names = Array.from({ length: 20 }, (_, number) => asked(String(number), { name: `Ajax ${number}` }));

  it('refuses another one, also after a withdrawal, and changes at once what needs no consent', () => {
    const reason = 'A client may ask for at most 20 changes a day (UTC) that need consent.';
    for (const client of [given(registered, ...names), given(registered, ...names, withdrawn('19'))])
      client.when(ask('20', { name: 'Ajax 20' })).refuses('invalid_request', reason);
    const client = given(registered, ...names);
    client.when(ask('20', { dynamicQr: true })).then(changed({ dynamicQr: true }));
    client.when(ask('20', { name: 'Acme' })).then(withdrawn('19'));
    client.when(decide('AcceptClientChange', '19')).then(changed({ name: 'Ajax 19' }), decided('ClientChangeAccepted', '19'));
  });

  it('refuses another one later on the same day', () => {
    given(registered, ...names)
      .when({ ...ask('20', { name: 'Ajax 20' }), now: now + day - 1 })
      .refuses('invalid_request', 'A client may ask for at most 20 changes a day (UTC) that need consent.');
  });

  it('takes another one on the next day, which has a count of its own', () => {
    const next = { at: now + day, by: member, changeId: '20', changes: { name: 'Ajax 20' } };
    given(registered, ...names)
      .when({ ...ask('20', { name: 'Ajax 20' }), now: now + day })
      .then({ type: 'ClientChangeAsked', data: next });
    given(registered, ...names, { type: 'ClientChangeAsked', data: next })
      .when({ ...ask('21', { name: 'Ajax 21' }), now: now + day })
      .then({ type: 'ClientChangeAsked', data: { ...next, changeId: '21', changes: { name: 'Ajax 21' } } });
  });
});

describe('given a client that was deleted, or none', () => {
  it('refuses every one of these commands', () => {
    const deleted: ClientEvent = { type: 'ClientDeleted', data: { at: now } };
    for (const client of [given(), given(registered, asked('1', { name: 'Ajax' }), deleted)])
      for (const command of [
        ask('2', { name: 'Ajax' }),
        decide('AcceptClientChange', '1'),
        decide('RefuseClientChange', '1'),
        { type: 'WithdrawClientChange', now, by: member } as const,
      ])
        client.when(command).refuses('client_not_found', 'no such client');
  });
});
