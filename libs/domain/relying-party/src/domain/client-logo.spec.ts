import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';
import { deciderSpec } from '#testkit/kernel/decider-spec';

import { type ClientLogo, clientLogoDecider, type ClientLogoEvent, type Logo } from './client-logo.js';

const given = deciderSpec(clientLogoDecider);
const now = Date.UTC(2026, 0, 1);
const logoOf = (hash: string): Logo => ({ hash, image: 'aW1hZ2U=', width: 64, height: 64 });
const uploaded = (hash: string, approved: boolean, shown?: string): ClientLogoEvent => ({
  type: 'LogoUploaded',
  data: { at: now, logo: logoOf(hash), approved, ...(shown !== undefined && { shown: logoOf(shown) }) },
});
const upload = (hash: string, needsApproval: boolean) => ({ type: 'UploadLogo', now, logo: logoOf(hash), needsApproval }) as const;

describe('a logo', () => {
  it('is shown at once where no approval is needed', () => {
    given().when(upload('a', false)).then(uploaded('a', true));
    expect(given(uploaded('a', true)).state).toEqual({ shown: logoOf('a') });
  });

  it('waits for approval, and the former one is shown until then', () => {
    given(uploaded('a', true))
      .when(upload('b', true))
      .then(uploaded('b', false, 'a'));
    expect(given(uploaded('b', false, 'a')).state).toEqual({ shown: logoOf('a'), waiting: logoOf('b') });
  });

  it('that waits is replaced by the next one, and the newest event alone tells both pictures', () => {
    given(uploaded('b', false, 'a'))
      .when(upload('c', true))
      .then(uploaded('c', false, 'a'));
    given(uploaded('b', false)).when(upload('c', true)).then(uploaded('c', false));
    expect(given(uploaded('a', true), uploaded('b', false, 'a'), uploaded('c', false, 'a')).state).toEqual(given(uploaded('c', false, 'a')).state);
  });

  it('is shown after its approval', () => {
    const waiting = given(uploaded('b', false, 'a'));
    waiting.when({ type: 'ApproveLogo', now, hash: 'b' }).then({ type: 'LogoApproved', data: { at: now, logo: logoOf('b') } });
  });

  it('is not approved under the hash of another one', () => {
    given(uploaded('a', false), uploaded('b', false))
      .when({ type: 'ApproveLogo', now, hash: 'a' })
      .refuses('logo_not_found', 'no such logo waits for approval');
  });

  it('is stored once, however often it is uploaded or approved', () => {
    given(uploaded('a', true)).when(upload('a', false)).nothing();
    given(uploaded('a', false)).when(upload('a', true)).nothing();
    given(uploaded('a', true)).when({ type: 'ApproveLogo', now, hash: 'a' }).nothing();
  });

  it('that waits is shown at once when it is uploaded again where no approval is needed', () => {
    given(uploaded('a', false)).when(upload('a', false)).then(uploaded('a', true));
  });

  it('can be removed', () => {
    given(uploaded('a', true))
      .when({ type: 'RemoveLogo', now })
      .then({ type: 'LogoRemoved', data: { at: now } });
    given().when({ type: 'RemoveLogo', now }).nothing();
  });
});

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const { events, states } = JSON.parse(await readFile(new URL('client-logo.events.v1.json', import.meta.url), 'utf8')) as {
      events: Stored<ClientLogoEvent>[];
      states: ClientLogo[];
    };
    let state = clientLogoDecider.initial;
    expect(events.map((event) => (state = clientLogoDecider.evolve(state, event)))).toEqual(states);
    const types: Record<ClientLogoEvent['type'], true> = { LogoUploaded: true, LogoApproved: true, LogoRemoved: true };
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  });
});
